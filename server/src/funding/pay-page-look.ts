// The style and the script of the payment page. Both are inline and allowed by their hashes; the policy must not let anything
// else run or load.
import { createHash } from 'node:crypto'

export const STYLE = `
:root { color-scheme: light dark;
  --page: light-dark(#f3f5f8, #101418); --paper: light-dark(#ffffff, #1a2027); --text: light-dark(#17202b, #e8edf3);
  --soft: light-dark(#4a5666, #aab6c4); --border: light-dark(#cfd6df, #36404c); --field: light-dark(#f3f5f8, #11161b);
  --accent: light-dark(#0b5bd3, #8cbcff); --on-accent: light-dark(#ffffff, #0b1a30);
  --good: light-dark(#0c6b3d, #6fd3a0); --warn: light-dark(#8a4b00, #f2c078); --bad: light-dark(#a3231f, #ff9d96) }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main, footer { max-width: 46rem; margin: 0 auto; padding: 1.25rem }
.paper { background: var(--paper); border: 1px solid var(--border); border-radius: 14px; padding: clamp(1.1rem, 4vw, 2rem) }
h1 { font-size: clamp(1.35rem, 5vw, 1.8rem); line-height: 1.2; margin: 0 0 .35rem }
h2 { font-size: .875rem; font-weight: 600; color: var(--soft); margin: 0 0 .35rem }
p { margin: 0 0 .8rem } ul { margin: 0; padding-left: 1.2rem } li { margin: .35rem 0 }
.lead { color: var(--soft) } .left { font-weight: 600 }
.banner { border: 1px solid var(--warn); border-left-width: 6px; color: var(--warn); background: var(--paper); border-radius: 8px; padding: .6rem .9rem; margin: 0 0 1rem; font-weight: 600 }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 99px; padding: .1rem .7rem; font-size: .875rem; font-weight: 600; margin-bottom: .8rem }
.pending, .creating { color: var(--accent) } .completed { color: var(--good) } .manual_review { color: var(--warn) } .expired, .failed { color: var(--bad) }
.columns { display: grid; gap: 1.5rem; margin-top: 1.25rem } .columns > * { min-width: 0 }
.field { margin-bottom: 1.25rem }
.value { display: flex; flex-wrap: wrap; gap: .5rem; align-items: stretch }
.value output { flex: 1 1 14rem; min-width: 0; background: var(--field); border: 1px solid var(--border); border-radius: 8px; padding: .6rem .75rem; font: 600 .95rem/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; overflow-wrap: anywhere; user-select: all }
.hint { color: var(--soft); font-size: .9rem; margin: .4rem 0 0 }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .4rem 1rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); cursor: pointer }
button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.code { text-align: center } .code svg { width: min(100%, 15rem); height: auto; border-radius: 8px; border: 1px solid var(--border); display: block; margin: 0 auto }
.rules { border-top: 1px solid var(--border); margin-top: .5rem; padding-top: 1rem }
footer { padding-top: 0; color: var(--soft); font-size: .875rem }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (min-width: 40rem) { main { padding-top: 3rem } .columns { grid-template-columns: 1fr 15rem } .rules { grid-column: 1 / -1 } }
`

/** Copies, counts down, and shows a new state by itself. The page is complete without it. */
export const SCRIPT = `
'use strict'
const POLL_MS = 4000, COPIED_MS = 2000
const announce = (text) => { document.getElementById('news').textContent = text }
const fallbackCopy = (output) => {
  const range = document.createRange()
  range.selectNodeContents(output)
  getSelection().removeAllRanges()
  getSelection().addRange(range)
  return document.execCommand('copy')
}
// Use the server's clock, because the payer's may be wrong.
let shownAt = 0
const prepare = () => {
  shownAt = performance.now()
  for (const button of document.querySelectorAll('button[data-copy]')) {
    const output = document.getElementById(button.dataset.copy)
    const label = button.textContent
    button.hidden = false
    button.addEventListener('click', async () => {
      let copied = true
      try { await navigator.clipboard.writeText(output.dataset.value) } catch { copied = fallbackCopy(output) }
      button.textContent = copied ? 'Copied' : 'Select to copy'
      announce(copied ? button.dataset.copied : 'This browser does not allow copying. Select the text and copy it.')
      setTimeout(() => { button.textContent = label }, COPIED_MS)
    })
  }
  countDown()
}
const countDown = () => {
  const left = document.getElementById('left')
  if (left === null) return
  const ms = left.dataset.ms - performance.now() + shownAt
  const minutes = Math.floor(ms / 60000)
  // While the server cannot be reached, nothing else says so.
  if (ms <= 0) {
    const over = 'The time is over, do not pay any more'
    if (left.textContent !== over) announce(over)
    left.textContent = over
  } else left.textContent = minutes < 1 ? 'Less than a minute left' : minutes === 1 ? '1 minute left' : minutes + ' minutes left'
}
const refresh = async () => {
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const before = document.querySelector('main'), after = next.querySelector('main')
    if (answer.ok && after !== null && before.dataset.state !== after.dataset.state) {
      before.replaceWith(document.adoptNode(after))
      document.title = next.title
      announce(after.querySelector('h1').textContent)
      prepare()
    }
  } catch { /* Offline: the next try tells. */ }
  setTimeout(refresh, POLL_MS)
}
prepare()
// Not after a refresh, which may wait for minutes.
setInterval(countDown, POLL_MS)
setTimeout(refresh, POLL_MS)
`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const PAY_PAGE_CSP = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
