// What few visits use comes as a script of its own, the first time. This file lies beside main.js, since esbuild
// leaves the address as it is.

/** @returns {Promise<typeof import('./late_parts.js')>} */
export const late = () => import('./late_parts.js');
