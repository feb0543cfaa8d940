// What the browser remembers of the page; it may refuse to, as in private browsing.

/** @param {string} key @returns {string}  "": nothing */
export function stored(key) {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** @param {string} key @param {string} text @returns {boolean}  false: it lasts as long as the page */
export function remember(key, text) {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
