/* reference_store.c - keeps references under a lock, and writes their files on a thread. */
#include "daemon/line/reference/reference_store.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/json.h"
#include "daemon/base/log.h"
#include "daemon/line/reference/reference_file.h"
#include "daemon/line/reference/reference_folder.h"

enum state { IN_MEMORY, TO_WRITE, STORED, FAILED, TO_REMOVE };

struct entry {
    struct reference *reference; /* a reference; NULL: only its file is left, to be removed */
    char name[REFERENCE_NAME];
    enum state state;
    int error; /* FAILED: -errno */
};

struct reference_store {
    char *folder; /* NULL: none */
    uv_thread_t thread;
    bool running;
    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    bool stop;
    struct entry entry[REFERENCES_MAX];
    size_t count;
};

/* ---- the list, under the lock ----------------------------------------------------------- */

static struct entry *find(struct reference_store *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->entry[i].name, name) == 0)
            return &s->entry[i];
    return NULL;
}

static void remove_entry(struct reference_store *s, struct entry *e)
{
    const size_t after = (size_t)(s->entry + s->count - (e + 1));
    reference_unref(e->reference);
    memmove(e, e + 1, after * sizeof *e);
    s->count--;
}

/* A new one, in the order of names. */
static struct entry *insert(struct reference_store *s, const char *name)
{
    size_t i = 0;
    while (i < s->count && strcmp(s->entry[i].name, name) < 0)
        i++;
    memmove(&s->entry[i + 1], &s->entry[i], (s->count - i) * sizeof s->entry[0]);
    s->count++;
    s->entry[i] = (struct entry){0};
    memcpy(s->entry[i].name, name, strlen(name) + 1);
    return &s->entry[i];
}

static size_t bytes_of(const struct reference *r)
{
    return r ? r->n * sizeof r->power[0] : 0;
}

/* What refuses a reference, apart from the one of its name, which it replaces. */
static int find_refusal(struct reference_store *s, const struct reference *r)
{
    const struct entry *same = find(s, r->name);
    size_t bytes = r->n * sizeof r->power[0];
    for (size_t i = 0; i < s->count; i++)
        bytes += &s->entry[i] == same ? 0 : bytes_of(s->entry[i].reference);
    if (!same && s->count == REFERENCES_MAX)
        return -EMFILE;
    return bytes > REFERENCES_BYTES_MAX ? -ENOBUFS : 0;
}

/* Takes over the reference. */
static int put(struct reference_store *s, struct reference *r, enum state state)
{
    const int err = find_refusal(s, r);
    if (err < 0) {
        reference_unref(r);
        return err;
    }
    struct entry *e = find(s, r->name);
    if (!e)
        e = insert(s, r->name);
    reference_unref(e->reference);
    e->reference = r;
    e->state = state;
    e->error = 0;
    uv_cond_signal(&s->changed);
    return 0;
}

/* ---- the thread that writes ------------------------------------------------------------- */

static struct entry *find_work(struct reference_store *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->entry[i].state == TO_WRITE || s->entry[i].state == TO_REMOVE)
            return &s->entry[i];
    return NULL;
}

/* What became of one entry; another thread may have changed it meanwhile. */
static void finish_work(struct reference_store *s, const struct reference *r, const char *name,
                        int err)
{
    struct entry *e = find(s, name);
    if (!e || e->reference != r)
        return;
    if (!r) {
        remove_entry(s, e);
        return;
    }
    e->state = err < 0 ? FAILED : STORED;
    e->error = err;
}

static void do_work(struct reference_store *s, const struct entry *e)
{
    struct reference *r = reference_ref(e->reference);
    char name[REFERENCE_NAME];
    memcpy(name, e->name, sizeof name);
    uv_mutex_unlock(&s->lock);
    const int err =
        r ? reference_folder_write(s->folder, r) : reference_folder_remove(s->folder, name);
    if (err < 0)
        log_warn("%s: the reference %s: %s", s->folder, name, strerror(-err));
    uv_mutex_lock(&s->lock);
    finish_work(s, r, name, err);
    reference_unref(r);
}

static void write_files(void *arg)
{
    struct reference_store *s = arg;
    pthread_setname_np(pthread_self(), "references");
    uv_mutex_lock(&s->lock);
    for (;;) {
        const struct entry *e = find_work(s);
        if (e)
            do_work(s, e);
        else if (s->stop)
            break;
        else
            uv_cond_wait(&s->changed, &s->lock);
    }
    uv_mutex_unlock(&s->lock);
}

/* ---- start and end ---------------------------------------------------------------------- */

static void add_file(void *user, struct reference *r)
{
    struct reference_store *s = user;
    char name[REFERENCE_NAME];
    memcpy(name, r->name, sizeof name);
    if (put(s, r, STORED) < 0)
        log_warn("%s: too many references: %s is left out", s->folder, name);
}

static void open_folder(struct reference_store *s, const char *state_dir)
{
    s->folder = reference_folder_open(state_dir);
    if (!s->folder)
        return;
    reference_folder_read(s->folder, add_file, s);
    s->running = uv_thread_create(&s->thread, write_files, s) == 0;
}

int reference_store_create(struct reference_store **out, const char *state_dir)
{
    struct reference_store *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s || uv_mutex_init(&s->lock) < 0) {
        free(s);
        return -ENOMEM;
    }
    if (uv_cond_init(&s->changed) < 0) {
        uv_mutex_destroy(&s->lock);
        free(s);
        return -ENOMEM;
    }
    if (state_dir)
        open_folder(s, state_dir);
    *out = s;
    return 0;
}

void reference_store_destroy(struct reference_store *s)
{
    if (!s)
        return;
    uv_mutex_lock(&s->lock);
    s->stop = true;
    uv_cond_signal(&s->changed);
    uv_mutex_unlock(&s->lock);
    if (s->running)
        uv_thread_join(&s->thread);
    while (s->count > 0)
        remove_entry(s, &s->entry[s->count - 1]);
    uv_cond_destroy(&s->changed);
    uv_mutex_destroy(&s->lock);
    free(s->folder);
    free(s);
}

/* ---- for all threads -------------------------------------------------------------------- */

struct reference *reference_store_find(struct reference_store *s, const char *name)
{
    uv_mutex_lock(&s->lock);
    const struct entry *e = find(s, name);
    struct reference *r = e ? reference_ref(e->reference) : NULL;
    uv_mutex_unlock(&s->lock);
    return r;
}

int reference_store_put(struct reference_store *s, struct reference *r)
{
    uv_mutex_lock(&s->lock);
    const int err = put(s, r, s->running ? TO_WRITE : IN_MEMORY);
    uv_mutex_unlock(&s->lock);
    return err;
}

int reference_store_remove(struct reference_store *s, const char *name)
{
    uv_mutex_lock(&s->lock);
    struct entry *e = find(s, name);
    const int err = e && e->reference ? 0 : -ENOENT;
    if (err == 0 && s->running) {
        reference_unref(e->reference);
        e->reference = NULL;
        e->state = TO_REMOVE;
        uv_cond_signal(&s->changed);
    } else if (err == 0) {
        remove_entry(s, e);
    }
    uv_mutex_unlock(&s->lock);
    return err;
}

static json_t *entry_to_json(const struct entry *e)
{
    json_t *object = reference_to_json(e->reference);
    if (!object)
        return NULL;
    json_object_set_new(object, "stored", json_boolean(e->state == STORED));
    json_object_set_new(object, "error",
                        e->error < 0 ? json_string(strerror(-e->error)) : json_null());
    return object;
}

json_t *reference_store_to_json(struct reference_store *s)
{
    json_t *list = json_array();
    uv_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->count; i++)
        if (s->entry[i].reference)
            json_array_append_new(list, entry_to_json(&s->entry[i]));
    uv_mutex_unlock(&s->lock);
    return list;
}
