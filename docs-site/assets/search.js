// The search: a dialog over an index that this server made. Opens with `/` or Ctrl+K; the arrow keys and Enter choose.
import { element } from './element.js'
import { rank } from './rank.js'

/** @typedef {import('./rank.js').Entry} Entry */

const EXCERPT_LENGTH = 110

/** @type {Promise<Entry[]> | undefined} */
let loading

/** @returns {Promise<Entry[]>} */
function loadIndex() {
  loading ??= fetch('/docs/assets/search.json').then((response) => {
    if (!response.ok) throw new Error(`The index could not be loaded: ${response.status}`)
    return response.json()
  })
  // A failed request is made again with the next letter.
  loading.catch(() => (loading = undefined))
  return loading
}

export function startSearch() {
  const opener = document.getElementById('search-button')
  if (opener === null) return
  const { dialog, input, results, hint } = makeDialog()
  document.body.append(dialog)
  /** @type {Entry[]} */
  let found = []
  let chosen = 0
  /** @param {number} index */
  const choose = (index) => {
    chosen = found.length === 0 ? 0 : (index + found.length) % found.length
    for (const [at, option] of [...results.children].entries()) {
      option.setAttribute('aria-selected', String(at === chosen))
      if (at === chosen) option.scrollIntoView({ block: 'nearest' })
    }
    if (found.length === 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `result-${chosen}`)
  }
  const go = (index = chosen) => {
    const entry = found[index]
    if (entry === undefined) return
    dialog.close()
    location.assign(entry.path)
  }
  const update = async () => {
    const query = input.value.trim()
    /** @type {import('./rank.js').Ranking} */
    let ranking = { entries: [], isSimilar: false }
    try {
      if (query !== '') ranking = rank(await loadIndex(), query)
    } catch {
      hint.textContent = 'The search index could not be loaded. Is the server running?'
      return
    }
    // Another letter was typed meanwhile.
    if (query !== input.value.trim()) return
    found = ranking.entries
    results.replaceChildren(...found.map((entry, index) => makeOption(entry, index, query, go)))
    input.setAttribute('aria-expanded', String(found.length > 0))
    hint.textContent =
      query === ''
        ? 'Search calls, fields, error codes and guides.'
        : found.length === 0
          ? 'Nothing found.'
          : ranking.isSimilar
            ? `Nothing has these words. ${found.length} found with similar ones.`
            : `${found.length} found`
    choose(0)
  }
  const open = () => {
    if (dialog.open) return
    dialog.showModal()
    input.select()
    void update()
  }
  input.addEventListener('input', () => void update())
  input.addEventListener('keydown', (event) => {
    const action = { ArrowDown: () => choose(chosen + 1), ArrowUp: () => choose(chosen - 1), Enter: () => go() }[
      event.key
    ]
    if (action === undefined) return
    event.preventDefault()
    action()
  })
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  opener.hidden = false
  opener.addEventListener('click', open)
  document.addEventListener('keydown', (event) => {
    const isShortcut =
      (event.key === '/' && !isTyping(event)) || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey))
    if (!isShortcut) return
    event.preventDefault()
    open()
  })
}

/** @param {KeyboardEvent} event */
function isTyping({ target, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return true
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

function makeDialog() {
  const input = element('input', {
    type: 'search',
    role: 'combobox',
    'aria-label': 'Search the documentation',
    'aria-controls': 'search-results',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'Search the documentation',
  })
  const results = element('ul', { role: 'listbox', id: 'search-results', 'aria-label': 'Results' })
  const hint = element('p', { class: 'search-hint', role: 'status' })
  const dialog = element('dialog', { class: 'search', 'aria-label': 'Search' }, input, results, hint)
  return { dialog, input, results, hint }
}

/**
 * @param {Entry} entry
 * @param {number} index
 * @param {string} query
 * @param {(index: number) => void} go
 */
function makeOption({ title, place, text }, index, query, go) {
  const option = element(
    'li',
    { role: 'option', id: `result-${index}`, 'aria-selected': 'false' },
    element('span', { class: 'result-title' }, title),
    element('span', { class: 'result-place' }, place),
    element('span', { class: 'result-text' }, excerpt(text, query)),
  )
  option.addEventListener('click', () => go(index))
  return option
}

/**
 * @param {string} text
 * @param {string} query
 */
function excerpt(text, query) {
  const at = text.toLowerCase().indexOf(query.toLowerCase().split(/\s+/)[0] ?? '')
  const start = Math.max(0, at - 40)
  const part = text.slice(start, start + EXCERPT_LENGTH)
  return `${start > 0 ? '…' : ''}${part}${start + EXCERPT_LENGTH < text.length ? '…' : ''}`
}
