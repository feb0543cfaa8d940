/* settings.c - writes the settings of a radio, including the bias tee (tuning.h). */
#include <SoapySDR/Constants.h>
#include <SoapySDR/Types.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "daemon/source/soapy/device.h"
#include "daemon/source/soapy/tuning.h"

enum { RX = SOAPY_SDR_RX, CHANNEL = 0 };

/* A radio has settings of the device and settings of each channel. */
struct settings {
    SoapySDRArgInfo *device, *channel;
    size_t devices, channels;
};

static void settings_init(struct settings *all, SoapySDRDevice *device)
{
    *all = (struct settings){0};
    all->device = SoapySDRDevice_getSettingInfo(device, &all->devices);
    all->channel = SoapySDRDevice_getChannelSettingInfo(device, RX, CHANNEL, &all->channels);
}

static void settings_finish(struct settings *all)
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

static int unknown(struct source *s, const struct settings *all, const char *key)
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

static int apply(struct source *s, SoapySDRDevice *device, const struct settings *all,
                 const struct soapy_pair *pair)
{
    const SoapySDRArgInfo *own = find(all->device, all->devices, pair->key);
    const SoapySDRArgInfo *channels = find(all->channel, all->channels, pair->key);
    if (!own && !channels && all->devices + all->channels > 0)
        return unknown(s, all, pair->key);
    const int err = check_value(s, own ? own : channels, pair->value);
    if (err < 0)
        return err;
    const int code = !own && channels ? SoapySDRDevice_writeChannelSetting(device, RX, CHANNEL,
                                                                           pair->key, pair->value)
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

static int bias_tee(struct source *s, SoapySDRDevice *device, const struct settings *all,
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

int soapy_settings_apply(struct source *s, SoapySDRDevice *device)
{
    struct soapy_pairs pairs;
    struct settings all;
    char what[128];
    if (soapy_pairs_parse(s->config->settings, &pairs, what, sizeof what) < 0)
        return source_fail(s, -EINVAL, "setting %s", what);
    settings_init(&all, device);
    int err = s->config->bias_tee ? bias_tee(s, device, &all, SOAPY_SDR_TRUE) : 0;
    for (size_t i = 0; i < pairs.count && err == 0; i++)
        err = apply(s, device, &all, &pairs.pair[i]);
    settings_finish(&all);
    return err;
}

/* Many radios keep the power on after they are closed. */
void soapy_bias_tee_off(struct source *s, SoapySDRDevice *device)
{
    struct settings all;
    if (!s->config->bias_tee)
        return;
    settings_init(&all, device);
    (void)bias_tee(s, device, &all, SOAPY_SDR_FALSE);
    settings_finish(&all);
}
