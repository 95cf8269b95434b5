// Chance: the server fixes its secret bits first and shows their fingerprint; then this browser adds
// its part. What was shown then must be what the table shows.

/** @returns {string} this browser's part in a seed */
export function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {HTMLElement} promise something that carries a table's id and its fingerprint */
export function remember({ dataset }) {
  if (dataset.table) sessionStorage.setItem(dataset.table, dataset.commitment ?? "");
}

/** @param {HTMLElement} table @returns {boolean} whether its fingerprint is the promised one */
export function kept({ dataset }) {
  return (sessionStorage.getItem(dataset.table ?? "") ?? dataset.commitment) === dataset.commitment;
}
