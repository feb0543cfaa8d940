/* soapy_settings.c - writes the settings of a radio, including the bias tee (soapy_settings.h). */
#include <SoapySDR/Constants.h>
#include <SoapySDR/Types.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/pairs.h"
#include "daemon/base/reason.h"
#include "daemon/source/soapy/soapy_device.h"
#include "daemon/source/soapy/soapy_settings.h"

enum { RX = SOAPY_SDR_RX };

void soapy_settings_init(struct soapy_settings *all, SoapySDRDevice *device, size_t channel)
{
    *all = (struct soapy_settings){0};
    all->device = SoapySDRDevice_getSettingInfo(device, &all->devices);
    all->channel = SoapySDRDevice_getChannelSettingInfo(device, RX, channel, &all->channels);
}

void soapy_settings_finish(struct soapy_settings *all)
{
    SoapySDRArgInfoList_clear(all->device, all->devices);
    SoapySDRArgInfoList_clear(all->channel, all->channels);
}

static const SoapySDRArgInfo *find(const SoapySDRArgInfo *info, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(info[i].key, key) == 0)
            return &info[i];
    }
    return NULL;
}

static void append(char *list, size_t size, const char *word)
{
    const size_t at = strlen(list);
    snprintf(list + at, size - at, "%s%s", at ? ", " : "", word);
}

static int unknown(struct source *s, const struct soapy_settings *all, const char *key)
{
    char list[160] = "";
    for (size_t i = 0; i < all->devices; i++)
        append(list, sizeof list, all->device[i].key);
    for (size_t i = 0; i < all->channels; i++)
        append(list, sizeof list, all->channel[i].key);
    return source_fail(s, -EINVAL, "setting %s: %s has %s", key, s->stream.about, list);
}

static int check_value(struct source *s, const SoapySDRArgInfo *info, const char *value)
{
    char list[160] = "";
    if (!info || info->numOptions == 0)
        return 0;
    for (size_t i = 0; i < info->numOptions; i++) {
        if (strcmp(info->options[i], value) == 0)
            return 0;
        append(list, sizeof list, info->options[i]);
    }
    return source_fail(s, -EINVAL, "setting %s=%s: %s takes %s", info->key, value, s->stream.about,
                       list);
}

static int check(struct source *s, const struct soapy_settings *all, const struct soapy_pair *pair)
{
    const SoapySDRArgInfo *own = find(all->device, all->devices, pair->key);
    const SoapySDRArgInfo *channels = find(all->channel, all->channels, pair->key);
    if (!own && !channels && all->devices + all->channels > 0)
        return unknown(s, all, pair->key);
    return check_value(s, own ? own : channels, pair->value);
}

static int apply(struct source *s, SoapySDRDevice *device, const struct soapy_settings *all,
                 const struct soapy_pair *pair)
{
    const bool own = find(all->device, all->devices, pair->key) != NULL;
    const bool channels = find(all->channel, all->channels, pair->key) != NULL;
    const int err = check(s, all, pair);
    if (err < 0)
        return err;
    const int code = !own && channels ? SoapySDRDevice_writeChannelSetting(
                                            device, RX, soapy_channel(s), pair->key, pair->value)
                                      : SoapySDRDevice_writeSetting(device, pair->key, pair->value);
    return code == 0 ? 0 : soapy_fail(s, code, pair->key);
}

/* Drivers call it biastee, bias_tx, biasT_ctrl, ...: returns the first Boolean setting whose name
 * starts with "bias". */
static const char *bias_key(const SoapySDRArgInfo *info, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strncasecmp(info[i].key, "bias", 4) == 0 && info[i].type == SOAPY_SDR_ARG_INFO_BOOL)
            return info[i].key;
    }
    return NULL;
}

static int bias_tee(struct source *s, SoapySDRDevice *device, const struct soapy_settings *all,
                    const char *value)
{
    struct soapy_pair pair;
    const char *key = bias_key(all->device, all->devices);
    if (!key)
        key = bias_key(all->channel, all->channels);
    if (!key)
        return source_fail(s, -EINVAL, "bias tee: %s has no setting for one", s->stream.about);
    snprintf(pair.key, sizeof pair.key, "%s", key);
    snprintf(pair.value, sizeof pair.value, "%s", value);
    return apply(s, device, all, &pair);
}

static int parse(struct source *s, const char *text, struct soapy_pairs *out)
{
    struct reason what = {0};
    return soapy_pairs_parse(text, out, &what) < 0
               ? source_fail(s, -EINVAL, "setting %s", what.sentence)
               : 0;
}

int soapy_settings_check(struct source *s, SoapySDRDevice *device, const char *want)
{
    struct soapy_pairs pairs;
    struct soapy_settings all;
    int err = parse(s, want, &pairs);
    if (err < 0)
        return err;
    soapy_settings_init(&all, device, soapy_channel(s));
    for (size_t i = 0; i < pairs.count && err == 0; i++)
        err = check(s, &all, &pairs.pair[i]);
    soapy_settings_finish(&all);
    return err;
}

static bool has(const char *had, const struct soapy_pair *pair)
{
    struct pair old;
    return had && pairs_find(had, pair->key, &old) && strcmp(old.value, pair->value) == 0;
}

int soapy_settings_apply(struct source *s, SoapySDRDevice *device, const char *want,
                         const char *had)
{
    struct soapy_pairs pairs;
    struct soapy_settings all;
    int err = parse(s, want, &pairs);
    if (err < 0)
        return err;
    soapy_settings_init(&all, device, soapy_channel(s));
    if (!had && s->config->bias_tee)
        err = bias_tee(s, device, &all, SOAPY_SDR_TRUE);
    for (size_t i = 0; i < pairs.count && err == 0; i++)
        err = has(had, &pairs.pair[i]) ? 0 : apply(s, device, &all, &pairs.pair[i]);
    soapy_settings_finish(&all);
    return err;
}

/* True for a pair such as biastee=true. */
static bool enables_bias(const char *want)
{
    struct pair pair;
    while (pairs_next(&want, &pair)) {
        if (strncasecmp(pair.key, "bias", 4) == 0 && strcmp(pair.value, SOAPY_SDR_TRUE) == 0)
            return true;
    }
    return false;
}

/* Many radios keep the power on after they are closed. */
void soapy_bias_tee_off(struct source *s, SoapySDRDevice *device, const char *want)
{
    struct soapy_settings all;
    if (!s->config->bias_tee && !enables_bias(want))
        return;
    soapy_settings_init(&all, device, soapy_channel(s));
    (void)bias_tee(s, device, &all, SOAPY_SDR_FALSE);
    soapy_settings_finish(&all);
}
