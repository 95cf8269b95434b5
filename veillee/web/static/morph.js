// Turns the nodes of a page into others with as few changes as possible. What has an id keeps its
// node wherever it goes, so that it can be seen to move; everything else is matched by its place.

/** @param {Element} root @returns {Map<string, Element>} */
const named = (root) => new Map([...root.querySelectorAll("[id]")].map((node) => [node.id, node]));

/**
 * Make `from` the same as `to`.
 * @param {Element} from @param {Element} to
 */
export function morph(from, to) {
  same(from, to, named(from));
}

/**
 * Renew some children of a picture; the others stay untouched.
 * @param {Element} picture @param {[number, string][]} parts the place of each, and its SVG
 */
export function renew(picture, parts) {
  const known = named(picture);
  const children = [...picture.children];
  for (const [place, text] of parts) {
    const from = children[place];
    const to = parsed(`<svg>${text}</svg>`)?.firstElementChild;
    if (from && to) same(from, to, known);
  }
}

/** @param {Element} from @param {Element} to @param {Map<string, Element>} known */
function same(from, to, known) {
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name)) from.removeAttribute(name);
  }
  // First put every child in its place, then go into them: a node deeper down may be called for
  // from elsewhere, but not from a list that is being walked.
  /** @type {[Element, Element][]} */
  const kept = [];
  let at = from.firstChild;
  for (const want of [...to.childNodes]) {
    const have = match(at, want, known);
    if (!have || have.contains(from)) {
      from.insertBefore(document.importNode(want, true), at);
      continue;
    }
    if (have === at) at = at.nextSibling;
    else from.insertBefore(have, at);
    if (have instanceof Element) kept.push([have, /** @type {Element} */ (want)]);
    else if (have.nodeValue !== want.nodeValue) have.nodeValue = want.nodeValue;
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
  for (const [have, want] of kept) same(have, want, known);
}

/**
 * The node that may become `want`: the one of its id, or the next one if it is of the same kind.
 * @param {ChildNode | null} at @param {ChildNode} want @param {Map<string, Element>} known
 * @returns {ChildNode | null}
 */
function match(at, want, known) {
  const id = want instanceof Element ? want.id : "";
  if (id) {
    const found = known.get(id);
    return found && found.nodeName === want.nodeName ? found : null;
  }
  if (!at || at.nodeName !== want.nodeName || at.nodeType !== want.nodeType) return null;
  return at instanceof Element && at.id ? null : at;
}

/** @param {string} text @returns {Element | null} the first element of some HTML */
export function parsed(text) {
  const template = document.createElement("template");
  template.innerHTML = text;
  return template.content.firstElementChild;
}

/**
 * Put the one element that some HTML describes into a box, keeping what is already there.
 * @param {Element} box @param {string} text
 */
export function fill(box, text) {
  const want = parsed(text);
  const have = box.firstElementChild;
  if (!want) box.replaceChildren();
  else if (have && have.nodeName === want.nodeName) morph(have, want);
  else box.replaceChildren(want);
}
