// Colours code with classes, on the server: the pages run no highlighter, and their policy allows no inline style.
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import http from 'highlight.js/lib/languages/http'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import json from 'highlight.js/lib/languages/json'
import nginx from 'highlight.js/lib/languages/nginx'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import { escape } from './html.ts'

const LANGUAGES = { bash, diff, go, http, ini, java, json, nginx, php, python, ruby, sql, typescript, yaml }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** Returns the code as HTML. A language that is not known is shown without colours. */
export function highlight(code: string, language: string): string {
  if (hljs.getLanguage(language) === undefined) return escape(code)
  return hljs.highlight(code, { language, ignoreIllegals: true }).value
}

/** A block of code. It can be scrolled sideways, so the keyboard must reach it. */
export function codeBlock(code: string, language: string, label: string): string {
  return `<div class="code-box"><pre class="code" tabindex="0" role="group" aria-label="${escape(label)}"><code>${highlight(code.trimEnd(), language)}</code></pre></div>`
}
