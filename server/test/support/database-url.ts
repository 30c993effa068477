// A connection as a DATABASE_URL: a unix socket's folder goes into the query.
import type { Connection } from '../../src/db/pool.ts'

export function toDatabaseUrl({ host = '', port = 0, user = '', password, database = '' }: Connection): string {
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : ''
  return `postgres://${user}${secret}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
