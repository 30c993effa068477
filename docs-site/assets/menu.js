// The menu on small screens, the switch between light and dark, and the mark of the current section in the navigation.
import { announce, recall, remember } from './element.js'

export function startMenu() {
  const link = document.getElementById('menu')
  const sidebar = document.getElementById('sidebar')
  if (link === null || sidebar === null) return
  link.setAttribute('role', 'button')
  link.setAttribute('aria-controls', 'sidebar')
  /** @param {boolean} open */
  const show = (open) => {
    document.documentElement.classList.toggle('menu-open', open)
    link.setAttribute('aria-expanded', String(open))
    if (open) sidebar.querySelector('a')?.focus()
  }
  show(false)
  const isOpen = () => document.documentElement.classList.contains('menu-open')
  link.addEventListener('click', (event) => {
    event.preventDefault()
    show(!isOpen())
  })
  link.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return
    event.preventDefault()
    show(!isOpen())
  })
  sidebar.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a') !== null) show(false)
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !isOpen()) return
    show(false)
    link.focus()
  })
  markSections(sidebar)
  sidebar.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' })
}

/**
 * Marks the part of the page that is being read.
 * @param {HTMLElement} sidebar
 */
function markSections(sidebar) {
  /** @type {Map<string, Element>} */
  const links = new Map()
  for (const link of sidebar.querySelectorAll('.nav-parts a'))
    links.set(link.getAttribute('href')?.slice(1) ?? '', link)
  if (links.size === 0) return
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        for (const [id, link] of links) {
          if (id === target.id) link.setAttribute('aria-current', 'location')
          else link.removeAttribute('aria-current')
        }
      }
    },
    // A thin line near the top of the window: exactly one section crosses it.
    { rootMargin: '-20% 0px -79% 0px' },
  )
  for (const section of document.querySelectorAll('main section.call')) observer.observe(section)
}

const THEMES = /** @type {const} */ (['system', 'light', 'dark'])

export function startTheme() {
  const button = document.getElementById('theme-button')
  if (button === null) return
  const known = recall('docs-theme')
  let index = Math.max(
    0,
    THEMES.findIndex((theme) => theme === known),
  )
  const show = () => {
    const theme = THEMES[index] ?? 'system'
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    button.textContent = { system: '◐', light: '☀', dark: '☾' }[theme]
    button.setAttribute('aria-label', `Theme: ${theme}. Change it.`)
    button.title = `Theme: ${theme}`
    return theme
  }
  show()
  button.hidden = false
  button.addEventListener('click', () => {
    index = (index + 1) % THEMES.length
    const theme = show()
    remember('docs-theme', theme === 'system' ? undefined : theme)
    announce(`Theme: ${theme}`)
  })
}
