// Finds the tests that are left out on Citus, by the reasons that they name.
import { LEFT_OUT_ON_CITUS, type LeftOut } from '../../server/test/support/left-out-on-citus.ts'

export interface LeftOutTest {
  readonly line: number
  readonly reason: LeftOut
  /** The title of the test, or of the group of tests; undefined if only a part of the cases is left out. */
  readonly title: string | undefined
}

const MARK = /onCitus\('([^']+)'\)(\)?)/g
/** A table of cases may come before the title. */
const TITLE = /^(?:\.each\([\s\S]*?\)\(|\()\s*['"`]([^\n]*?)['"`],/

export function findLeftOut(text: string): LeftOutTest[] {
  return [...text.matchAll(MARK)].map((match) => {
    const [mark, reason = '', end] = match
    const after = text.slice(match.index + mark.length)
    const title = end === ')' ? TITLE.exec(after)?.[1] : undefined
    if (!(reason in LEFT_OUT_ON_CITUS)) throw new Error(`"${reason}" is not a reason of left-out-on-citus.ts.`)
    return { line: text.slice(0, match.index).split('\n').length, reason: reason as LeftOut, title }
  })
}

/** Whether a test is left out on Citus without a reason. */
export function hasUnexplained(text: string): boolean {
  return /(?:skip|run)If\([^)]*isDistributed\(/.test(text)
}
