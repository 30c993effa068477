// Writes values as words and literals of code that people copy and run. The values may come from an attacker, so that nothing in
// them may end the quotation, and nothing invisible may reach a terminal.

/** Control and format characters, line separators, and what Unicode has not assigned. A terminal may act on them when they are pasted. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/** Returns one word of sh, bash or zsh. Inside single quotes these shells interpret nothing, and only a single quote ends them. */
export function toShellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Returns JSON in which every character is visible. Invisible ones are written as escapes, which mean the same. */
export function toVisibleJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replaceAll(UNSEEN, (found) =>
    // The line breaks of the indentation. Those inside a text are escapes already.
    found === '\n' ? found : toEscapes(found),
  )
}

/** Returns a literal of JavaScript and TypeScript. JSON is one, except that a name `__proto__` would set the prototype. */
export function toJavaScript(value: unknown, indent = 0): string {
  // A quotation mark inside a text follows a backslash, so this one begins a name.
  return toVisibleJson(value, indent).replaceAll(/(?<!\\)"__proto__":/g, '["__proto__"]:')
}

/** Returns a part of a URL in which all but visible ASCII characters are percent-encoded, because clients cannot send them in another way. */
export function toVisibleUrl(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]|#/gu, (found) => {
    const code = found.codePointAt(0) ?? 0
    // The server reads a path as bytes, so a character up to 0xff is one byte of the request.
    if (code <= 0xff) return `%${code.toString(16).toUpperCase().padStart(2, '0')}`
    // Half of a surrogate pair has no encoding.
    return code >= 0xd800 && code <= 0xdfff ? '%EF%BF%BD' : encodeURIComponent(found)
  })
}

function toEscapes(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return units.map((unit) => String.raw`\u${unit.toString(16).padStart(4, '0')}`).join('')
}
