// Adds a button to every block of code that copies its text.
import { announce, element } from './element.js'

/** How long a button says that it copied. */
const COPIED_MS = 2000

/** @param {ParentNode} root */
export function addCopyButtons(root) {
  for (const box of root.querySelectorAll('.code-box')) {
    const code = box.querySelector('code')
    if (code === null || box.querySelector('.copy') !== null) continue
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
    button.addEventListener('click', () => void copy(code, button))
    box.append(button)
  }
}

/**
 * @param {HTMLElement} code
 * @param {HTMLElement} button
 */
async function copy(code, button) {
  const copied = await write(code)
  button.textContent = copied ? 'Copied' : 'Press Ctrl+C'
  announce(copied ? 'The code is copied.' : 'Copying is not allowed here. The code is selected: press Ctrl+C.')
  setTimeout(() => (button.textContent = 'Copy'), COPIED_MS)
}

/**
 * Selects the code if the browser refuses: a page that came over plain HTTP may not use the clipboard.
 * @param {HTMLElement} code
 */
async function write(code) {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return document.execCommand('copy')
  }
}
