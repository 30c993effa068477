// Follows a document as a reader does: runs its commands in the terminals that its words name, saves the files that it tells
// the reader to save, and compares what is printed with what it shows. In what it shows, … stands for anything, and white
// space does not matter.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Block, fileOf, isOutput, readBlocks, readPage } from './blocks.ts'
import { Terminal, type Workplace } from './terminal.ts'

const ORDINALS = new Set(['first', 'second', 'third', 'fourth'])
/** .ci/run installs and runs every test in a clean clone; a test that runs inside of them cannot. */
const RUN_BY_CI = new Set(['npm ci', 'npm test'])

export class Walk {
  readonly #workplace: Workplace
  readonly #terminals = new Map<string, Terminal>()
  #current: string

  /** `terminal` is where the reader stands at the start. */
  constructor(workplace: Workplace, terminal = 'first') {
    this.#workplace = workplace
    this.#current = terminal
  }

  /**
   * Returns what each block of commands printed. `replace` changes the page before it is followed: ports, which other
   * programs on this machine may use.
   */
  async follow(page: string, replace: (text: string) => string = (text) => text): Promise<string[]> {
    const outputs: string[] = []
    let previous: Block | undefined
    for (const block of readBlocks(page, replace(readPage(page)))) {
      try {
        await this.#follow(block, previous)
      } catch (error) {
        throw new Error(`${page}:${block.line}: ${(error as Error).message}`, { cause: error })
      }
      if (block.language === 'sh') outputs.push(this.#terminal(this.#current).output)
      previous = block
    }
    return outputs
  }

  async #follow(block: Block, previous: Block | undefined): Promise<void> {
    const ordinal = block.words
      .toLowerCase()
      .match(/\b\w+(?= terminal\b)/g)
      ?.findLast((word) => ORDINALS.has(word))
    const file = fileOf(block)
    if (isOutput(block, previous)) await this.#compare(block, this.#terminal(ordinal ?? this.#current))
    else if (file !== undefined) this.#save(file, block)
    else if (block.language === 'sh') {
      this.#current = ordinal ?? this.#current
      await this.#run(block, this.#terminal(this.#current))
    }
  }

  async #run(block: Block, terminal: Terminal): Promise<void> {
    if (terminal.isRunning) {
      if (!block.words.includes('Ctrl-C')) throw new Error('a command is running in this terminal; say "Ctrl-C"')
      await terminal.interrupt()
    }
    const lines = block.text.split('\n').filter((line) => !RUN_BY_CI.has(line))
    await terminal.run(lines.join('\n'))
  }

  #save(file: string, { text }: Block): void {
    const path = join(this.#workplace.folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  /** A command that is still running may print more than is shown, and later. */
  async #compare(block: Block, terminal: Terminal): Promise<void> {
    const shown = pattern(block.text)
    const matches = () =>
      terminal.isRunning
        ? shown.test(squeeze(terminal.output))
        : new RegExp(`^${shown.source}$`).test(squeeze(terminal.output))
    if (!terminal.isRunning && !matches()) {
      throw new Error(`the page shows\n${block.text}\nbut the commands print\n${terminal.output}`)
    }
    await terminal.until(`the terminal shows ${block.text}`, matches)
  }

  #terminal(ordinal: string): Terminal {
    const terminal = this.#terminals.get(ordinal) ?? new Terminal(this.#workplace)
    this.#terminals.set(ordinal, terminal)
    return terminal
  }

  /** Runs commands that a test adds to those of the page, in the terminal of the last block. */
  async run(commands: string): Promise<string> {
    const terminal = this.#terminal(this.#current)
    await terminal.run(commands)
    return terminal.output
  }

  async close(): Promise<void> {
    for (const terminal of [...this.#terminals.values()].toReversed()) await terminal.close()
  }
}

const squeeze = (text: string) => text.replaceAll(/\s+/g, '')

function pattern(shown: string): RegExp {
  const parts = squeeze(shown).split('…')
  return new RegExp(parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*?'))
}
