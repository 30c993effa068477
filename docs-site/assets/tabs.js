// Shows one language at a time in the code samples, and one example at a time. The chosen language holds for all samples, on
// every page.
import { element, recall, remember } from './element.js'

/** @typedef {{ buttons: Map<string, HTMLButtonElement>, panels: Map<string, HTMLElement> }} Group */

export function startTabs() {
  /** @type {Group[]} */
  const groups = []
  for (const [index, box] of [...document.querySelectorAll('[data-samples]')].entries()) {
    if (box instanceof HTMLElement) groups.push(makeGroup(box, index, choose))
  }
  /** @param {string} language */
  function choose(language) {
    remember('docs-language', language)
    for (const group of groups) show(group, language)
  }
  const language = recall('docs-language') ?? 'curl'
  for (const group of groups) show(group, language)
}

/**
 * @param {HTMLElement} box
 * @param {number} index
 * @param {(language: string) => void} choose
 * @returns {Group}
 */
function makeGroup(box, index, choose) {
  /** @type {Group} */
  const group = { buttons: new Map(), panels: new Map() }
  const list = element('div', { role: 'tablist', 'aria-label': 'Language', class: 'tabs' })
  for (const panel of box.querySelectorAll('.sample')) {
    if (!(panel instanceof HTMLElement)) continue
    const language = panel.dataset['language'] ?? ''
    const title = panel.querySelector('.sample-title')
    const id = `sample-${index}-${language}`
    const button = element('button', { type: 'button', role: 'tab', id: `${id}-tab`, 'aria-controls': id })
    button.textContent = title?.textContent ?? language
    button.addEventListener('click', () => choose(language))
    title?.remove()
    panel.id = id
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', `${id}-tab`)
    list.append(button)
    group.buttons.set(language, button)
    group.panels.set(language, panel)
  }
  list.addEventListener('keydown', (event) => move(event, group, choose))
  box.prepend(list)
  return group
}

/**
 * A call that lacks the language shows its first one.
 * @param {Group} group
 * @param {string} wanted
 */
function show({ buttons, panels }, wanted) {
  const language = panels.has(wanted) ? wanted : [...panels.keys()][0]
  for (const [name, panel] of panels) {
    const button = buttons.get(name)
    panel.hidden = name !== language
    button?.setAttribute('aria-selected', String(name === language))
    button?.setAttribute('tabindex', name === language ? '0' : '-1')
  }
}

/**
 * The arrow keys move between the tabs, as in every list of tabs.
 * @param {KeyboardEvent} event
 * @param {Group} group
 * @param {(language: string) => void} choose
 */
function move(event, { buttons }, choose) {
  const names = [...buttons.keys()]
  const current = names.findIndex((name) => buttons.get(name) === document.activeElement)
  const target = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: names.length - 1 }[event.key]
  if (target === undefined || current === -1) return
  event.preventDefault()
  const name = names[(target + names.length) % names.length] ?? ''
  choose(name)
  buttons.get(name)?.focus()
}

/** Adds a list to choose the example from, where a call has several. */
export function startExamples() {
  for (const box of document.querySelectorAll('[data-cases]')) {
    const cases = [...box.querySelectorAll('.case')].filter((found) => found instanceof HTMLElement)
    if (cases.length < 2) continue
    const select = element('select')
    for (const [index, found] of cases.entries()) {
      found.querySelector('.case-title')?.remove()
      select.append(element('option', { value: String(index) }, found.dataset['case'] ?? ''))
    }
    const update = () => {
      for (const [index, found] of cases.entries()) found.hidden = String(index) !== select.value
    }
    select.addEventListener('change', update)
    box.prepend(element('label', { class: 'case-choice' }, 'Example ', select))
    update()
  }
}
