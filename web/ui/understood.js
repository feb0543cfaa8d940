// Says beside a field what was understood of it, while somebody types.

import { make, setText } from '../util/dom.js';

/**
 * It stays when the field loses the focus: a button below it must not move while it is clicked.
 * @param {HTMLInputElement} input
 * @param {(text: string) => string} understand  "": nothing yet
 * @returns {HTMLElement}  to be put beside it
 */
export function understoodBeside(input, understand) {
  const said = make('output', {
    className: 'understood',
    id: `understood-${input.id || Math.random().toString(36).slice(2)}`,
    ariaLive: 'off',
    hidden: true,
  });
  const say = () => {
    const text = input.value.trim() ? understand(input.value) : '';
    setText(said, text);
    said.hidden = !text;
  };
  input.setAttribute('aria-describedby', said.id);
  input.addEventListener('input', say);
  return said;
}
