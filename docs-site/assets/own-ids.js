// Shows the reader's own ids in the code samples, as soon as "try it" has read them. They stay in this tab.
import { recall, remember } from './element.js'

const IDS_NAME = 'docs-own-ids'
/** Of an object: what it is, and which one. */
const ID = /\b([a-z]{2,4})_[0-9a-f]{32}\b/g

/** @returns {Record<string, string>} By what comes before the underscore. */
function ownIds() {
  try {
    return JSON.parse(recall(IDS_NAME, sessionStorage) ?? '{}')
  } catch {
    return {}
  }
}

/** @param {string} id */
export function useOwnId(id) {
  const [prefix = ''] = id.split('_')
  remember(IDS_NAME, JSON.stringify({ ...ownIds(), [prefix]: id }), sessionStorage)
  showOwnIds()
}

/** Answers keep their ids: they were recorded. */
export function showOwnIds() {
  const ids = ownIds()
  for (const sample of document.querySelectorAll('[data-samples] code')) {
    const texts = document.createTreeWalker(sample, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const shown = text.nodeValue ?? ''
      const own = shown.replaceAll(ID, (id, prefix) => ids[prefix] ?? id)
      if (own !== shown) text.nodeValue = own
    }
  }
}
