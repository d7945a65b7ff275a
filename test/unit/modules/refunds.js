// A module in JavaScript, its types in its comments.
/**
 * Refund a charge.
 * @param {object} refund
 * @param {string} refund.chargeId - the charge
 * @param {number=} refund.amount how much of it
 * @returns {Promise<{ok: boolean}>}
 */
export function refund({ chargeId, amount }) {
  return { ok: chargeId !== '' && amount !== 0 };
}

/**
 * @param {string} a
 * @param {?number} [b=3] a number
 * @param {Array.<String>} c
 */
export const odd = (a, b, c) => [a, b, c];
