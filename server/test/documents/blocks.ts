// The code blocks of the documents, each with the words before it, which say where it belongs.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly text: string
  /** The text between the previous block and this one. */
  readonly words: string
}

/** Every page whose code the tests must check. */
export function listPages(): string[] {
  const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', 'sdk/README.md', 'examples/README.md', ...guides.map((name) => `docs/${name}`)]
}

export const readPage = (page: string) => readFileSync(join(root, page), 'utf8')

/** Returns the blocks of a page in their order; `text` is given when it differs from the file. */
export function readBlocks(page: string, text = readPage(page)): Block[] {
  let end = 0
  return [...text.matchAll(/^```(\S*)[^\n]*\n(.*?)^```$/gms)].map((match) => {
    const [whole, language = '', code = ''] = match
    const block = {
      page,
      line: text.slice(0, match.index).split('\n').length,
      language,
      text: code,
      words: text.slice(end, match.index),
    }
    end = match.index + whole.length
    return block
  })
}

/** Returns the file that the words before a block tell the reader to save it as, if they do. */
export function fileOf({ words }: Block): string | undefined {
  return /\b[Ss]ave (?:it|this)\b[^`]* as\s+`([^`]+)`/.exec(words.split('\n\n').slice(-2).join('\n\n'))?.[1]
}

/** Reports whether the block shows what the commands before it print. */
export function isOutput(block: Block, previous: Block | undefined): boolean {
  if (!['text', 'json'].includes(block.language) || previous === undefined) return false
  return previous.language === 'sh' || ['text', 'json'].includes(previous.language) || fileOf(previous) !== undefined
}
