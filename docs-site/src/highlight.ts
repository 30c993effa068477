// Colours code with classes, when the site is built: the pages run no highlighter, and their policy allows no inline style.
import { createRequire } from 'node:module'
import { escape } from './html.ts'

interface Highlighter {
  registerLanguage(name: string, language: unknown): void
  getLanguage(name: string): unknown
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string }
}

/** Only these files of the package are read. */
const LANGUAGES = [
  'bash',
  'diff',
  'go',
  'http',
  'ini',
  'java',
  'json',
  'nginx',
  'php',
  'powershell',
  'python',
  'ruby',
  'sql',
  'typescript',
  'yaml',
]

// Not imported: the types of the package would declare a browser's globals in the whole package.
const require = createRequire(import.meta.url)
const highlighter = require('highlight.js/lib/core') as Highlighter
for (const name of LANGUAGES) highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`))

/** Returns the code as HTML. A language that is not known is shown without colours. */
export function highlight(code: string, language: string): string {
  if (highlighter.getLanguage(language) === undefined) return escape(code)
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value
}

/** A block of code. It can be scrolled sideways, so the keyboard must reach it. */
export function codeBlock(code: string, language: string, label: string): string {
  return `<div class="code-box"><pre class="code" tabindex="0" role="group" aria-label="${escape(label)}"><code>${highlight(code.trimEnd(), language)}</code></pre></div>`
}
