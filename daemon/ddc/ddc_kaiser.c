/* ddc_kaiser.c - Kaiser's formulas for beta and length. */
#include "daemon/ddc/ddc_kaiser.h"

#define PI 3.14159265358979323846

double ddc_kaiser_beta(double attenuation_db)
{
    return 0.1102 * (attenuation_db - 8.7);
}

double ddc_kaiser_order(double attenuation_db, double transition)
{
    return (attenuation_db - 7.95) / (2.285 * 2 * PI * transition);
}
