// Tells which background jobs have something to do, so that the simulation need not poll through idle hours. It only decides
// when jobs run, not what they do. Before the end, every job runs once more on every node, whether or not it has something to do.
import type { SimDatabase } from './database.ts'

const QUERY = `
  select (select min(due_at) from issuer_request where status = 'queued') as "operations",
         (select min(due_at) from issuer_request where status = 'processing') as "look-ups",
         (select min(expires_at) from invoice where status = 'pending') as "invoice expiry",
         (select min(greatest(due_at, not_before)) from delivery_queue where due_at is not null and failures = 0) as "webhooks",
         (select min(greatest(due_at, not_before)) from delivery_queue where due_at is not null and failures > 0) as "failing-webhooks",
         (select min(not_before) from delivery_queue where recover_after is not null) as "recoveries",
         (select min(greatest(a.last_entry_at, coalesce(s.sealed_at + interval '15 min', a.last_entry_at)))
          from account a left join lateral (
            select number, sealed_at from seal s where s.company_id = a.company_id and s.environment = a.environment
            order by number desc limit 1) s on true
          where a.sequence > coalesce(s.number, 0)) as "seal"`

export type JobName = string

/** Tells when each job has something to do, in milliseconds. It asks again only if something may have changed. */
export class Oracle {
  readonly #database: SimDatabase
  #due: ReadonlyMap<JobName, number> = new Map()
  #askedAt = -1

  constructor(database: SimDatabase) {
    this.#database = database
  }

  async findDueJobs(): Promise<ReadonlyMap<JobName, number>> {
    const { main, changes } = this.#database
    if (changes === this.#askedAt) return this.#due
    const { rows } = await main.query<Record<string, Date | null>>({ name: 'oracle', text: QUERY })
    this.#due = new Map(
      Object.entries(rows[0] ?? {}).flatMap(([name, at]) => (at === null ? [] : [[name, at.getTime()]])),
    )
    this.#askedAt = changes
    return this.#due
  }
}
