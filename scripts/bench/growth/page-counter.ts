// Counts the pages that statements touch. It is given to the server's own queries in place of a database, so that exactly the
// statements of the server are measured: each is carried out by EXPLAIN (ANALYZE, BUFFERS), and its rows are thrown away.
import type { Db } from '../../../server/src/db/pool.ts'
import type { Statement } from '../../../server/src/db/sql.ts'

interface Explained {
  'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
}

export interface PageCounter {
  readonly db: Db
  /** Returns how many pages the statements of `run` touched, in memory or on disk. */
  count(run: () => Promise<unknown>): Promise<number>
}

export function createPageCounter(db: Db): PageCounter {
  let pages = 0
  async function explain<Row>({ text, values }: Statement): Promise<Row[]> {
    const statement = { name: undefined, text: `explain (analyze, buffers, timing off, format json) ${text}`, values }
    const [row] = await db.many<Explained>(statement)
    const plan = row?.['QUERY PLAN'][0].Plan
    if (plan === undefined) throw new Error('The statement has no plan.')
    pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    return []
  }
  return {
    db: {
      many: explain,
      async find(statement) {
        await explain(statement)
        return undefined
      },
      async run(statement) {
        await explain(statement)
        return 0
      },
    },
    async count(run) {
      pages = 0
      await run()
      return pages
    },
  }
}
