// The control lease: of the clients that may change the radio, one at a time does. Pure functions, and its messages.

/**
 * @typedef {object} Lease  null in the state: the server has no leases
 * @property {{ name: string, address: string } | null} user  null: nobody has it
 * @property {boolean} yours
 * @property {number} until  performance.now() of its end
 * @property {number} period  s
 *
 * @typedef {import('../../app/store.js').Store} Store
 */

/** "Ann (192.0.2.1)" @param {Lease['user']} user */
export function userText(user) {
  if (!user) return '';
  if (!user.name) return user.address || 'Somebody else';
  return user.address ? `${user.name} (${user.address})` : user.name;
}

/** @param {Lease | null} lease @param {number} now  ms */
export const secondsLeft = (lease, now) => Math.max(0, Math.ceil(((lease?.until ?? 0) - now) / 1000));

/** Whether another client keeps this one from changing the radio. @param {Lease | null} lease */
const isHeld = (lease) => Boolean(lease?.user) && !lease?.yours;

/**
 * Whether this client may change the radio now, and why not.
 * @param {{ permitted: boolean, refusal: string }} access @param {Lease | null} lease
 * @returns {import('../../app/state.js').State['control']}
 */
export function controlOf({ permitted, refusal }, lease) {
  const held = permitted && isHeld(lease);
  return {
    permitted,
    refusal,
    allowed: permitted && !held,
    reason: held ? `${userText(lease?.user ?? null)} controls the radio.` : refusal,
  };
}

/**
 * Who controls the radio, in a sentence; "": nothing to say.
 * @param {Lease | null} lease
 * @param {boolean} permitted
 * @param {number} now
 */
export function leaseText(lease, permitted, now) {
  if (!lease) return permitted ? 'You have control.' : '';
  const left = `${secondsLeft(lease, now)} s`;
  if (lease.yours) return `You control the radio, for ${left} after the last change.`;
  if (lease.user) return `${userText(lease.user)} controls the radio, for ${left} more.`;
  return permitted ? 'Nobody controls the radio: your first change takes control.' : 'Nobody controls the radio.';
}

/** @param {Store} store @param {Record<string, any>} message  "lease" of the server */
export function receiveLease(store, { user, seconds, period, yours, taken }) {
  /** @type {Lease} */
  const lease = {
    user: user ? { name: String(user.name ?? ''), address: String(user.address ?? '') } : null,
    yours: yours === true,
    period: Number(period),
    until: performance.now() + 1000 * Number(seconds),
  };
  const notice = taken === true ? { message: { text: `${userText(lease.user)} took control of the radio.` } } : {};
  store.update({ lease, control: controlOf(store.state.control, lease), ...notice });
}
