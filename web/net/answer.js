// answer.js - answers of HTTP that refuse something.

/**
 * The sentence of a refusal: `error` of a problem (RFC 9457), or the first line of a text, as a proxy sends it.
 * @param {Response} answer @returns {Promise<string>}
 */
export async function refusalOf(answer) {
  const text = await answer.text();
  try {
    const { error } = JSON.parse(text);
    if (typeof error === 'string') return error;
  } catch {
    // no JSON
  }
  return text.split('\n')[0].slice(0, 200);
}
