// Small helpers that all parts use: making elements, remembering a choice, and telling screen readers what happened.

/**
 * Makes an element. Attributes are set by name; children are elements or text, never HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/**
 * @param {string} name
 * @param {Storage} [storage]
 * @returns {string | undefined}
 */
export function recall(name, storage = localStorage) {
  try {
    return storage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/**
 * @param {string} name
 * @param {string | undefined} value Undefined forgets it.
 * @param {Storage} [storage]
 */
export function remember(name, value, storage = localStorage) {
  try {
    if (value === undefined) storage.removeItem(name)
    else storage.setItem(name, value)
  } catch {
    // Storage is switched off: the choice holds for this page only.
  }
}

/** @param {string} text */
export function announce(text) {
  const news = document.getElementById('news')
  if (news !== null) news.textContent = text
}
