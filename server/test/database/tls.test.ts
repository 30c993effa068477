// sslmode in DATABASE_URL means what it means to libpq, against a PostgreSQL with a certificate of a private authority.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PrivatePostgres, startPrivatePostgres } from '@cardstock/private-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceAccount } from '../../../private-postgres/src/account.ts'
import { readConfig } from '../../src/config/config.ts'
import { createPool } from '../../src/db/pool.ts'
import { PROGRAM } from '../../src/db/private-postgres.ts'
import { reachDatabase } from '../../src/db/reach.ts'
import { sql } from '../../src/db/sql.ts'
import { FaultProxy } from '../support/fault-proxy.ts'
import { createDatabase } from '../support/harness.ts'
import { ensureProgram } from '../support/programs.ts'

const openssl = ensureProgram({ name: 'openssl', package: 'openssl' })
/** The certificate is for the first address only. Any number of loopback addresses exists on Linux alone. */
const NAMED = `127.94.${process.pid % 250}.7`
const OTHER = `127.94.${process.pid % 250}.8`
const PORT = 5432

const folder = mkdtempSync(join(tmpdir(), 'cardstock-tls-'))
const path = (name: string) => join(folder, name)
let cluster: PrivatePostgres

/** Makes a key and a certificate that `signer` signs, or one that signs itself. */
function certify(name: string, subject: string, more: readonly string[], signer?: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', path(`${name}.key`)]
  const by = signer === undefined ? [] : ['-CA', path(`${signer}.pem`), '-CAkey', path(`${signer}.key`)]
  const about = ['-subj', `/CN=${subject}`, '-days', '2', '-out', path(`${name}.pem`)]
  execFileSync(openssl ?? '', ['req', '-x509', ...key, ...by, ...about, ...more], { stdio: 'ignore' })
}

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client(cluster.superuser)
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Connects as the server does, and returns whether the connection is encrypted. */
async function isEncrypted(url: string): Promise<boolean | undefined> {
  const db = createPool(await reachDatabase(url), { size: 1, onError: () => {} })
  try {
    return (await db.find<{ ssl: boolean }>(sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`))?.ssl
  } finally {
    await db.close()
  }
}

const address = (host: string, parameters: Record<string, string>, role = 'plain:secret') =>
  `postgres://${role}@${host}:${PORT}/cardstock?${new URLSearchParams(parameters).toString()}`
const at = (host: string, parameters: Record<string, string>) => isEncrypted(address(host, parameters))

describe.skipIf(openssl === undefined || process.platform !== 'linux')('a database with a private authority', () => {
  beforeAll(async () => {
    certify('ca', 'a private authority', [])
    certify('stranger', 'another authority', [])
    certify('server', 'db', ['-addext', `subjectAltName=IP:${NAMED}`, '-addext', 'basicConstraints=CA:FALSE'], 'ca')
    certify('client', 'certified', ['-addext', 'basicConstraints=CA:FALSE'], 'ca')
    writeFileSync(
      path('hba.conf'),
      `local all all scram-sha-256
hostssl all certified all cert
hostssl all tls_only all scram-sha-256
host all plain all scram-sha-256
`,
    )
    chmodSync(folder, 0o755)
    // PostgreSQL wants its key to be its own, and runs under another account when a test runs as root.
    const settings = {
      listen_addresses: `${NAMED},${OTHER}`,
      hba_file: path('hba.conf'),
      ssl: 'on',
      ssl_ca_file: path('ca.pem'),
      ssl_cert_file: path('server.pem'),
      ssl_key_file: path('server.key'),
    }
    // Root's key, readable by a group, is accepted as well as the account's own.
    if (process.getuid?.() === 0) {
      chmodSync(path('server.key'), 0o640)
      chownSync(path('server.key'), 0, serviceAccount(PROGRAM.name).gid)
    }
    cluster = await startPrivatePostgres({
      program: PROGRAM,
      folder: path('postgres'),
      durable: false,
      log: () => {},
      settings,
    })
    await asSuperuser(`create role plain login password 'secret'; create role tls_only login password 'secret';
      create role certified login`)
  })
  afterAll(async () => {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each([
    ['disable', {}, false],
    ['allow', {}, false],
    ['prefer', {}, true],
    ['require', {}, true],
    ['no-verify', {}, true],
  ] as const)('sslmode=%s without a root certificate', async (sslmode, more, expected) => {
    expect(await at(OTHER, { sslmode, ...more })).toBe(expected)
  })

  it('without sslmode it encrypts as with prefer', async () => expect(await at(OTHER, {})).toBe(true))

  it('ssl=true means require', async () => expect(await at(OTHER, { ssl: 'true' })).toBe(true))

  it('allow takes TLS when the database refuses to go without', async () => {
    expect(await isEncrypted(address(NAMED, { sslmode: 'allow' }, 'tls_only:secret'))).toBe(true)
    await expect(isEncrypted(address(NAMED, { sslmode: 'disable' }, 'tls_only:secret'))).rejects.toThrow(/pg_hba/)
  })

  it.each(['require', 'verify-ca'])('%s with a root certificate checks the signer, not the name', async (sslmode) => {
    expect(await at(OTHER, { sslmode, sslrootcert: path('ca.pem') })).toBe(true)
    await expect(at(OTHER, { sslmode, sslrootcert: path('stranger.pem') })).rejects.toThrow(/add sslrootcert=/)
  })

  it('verify-full checks the signer and the name', async () => {
    const full = { sslmode: 'verify-full', sslrootcert: path('ca.pem') }
    expect(await at(NAMED, full)).toBe(true)
    await expect(at(OTHER, full)).rejects.toThrow(/is for another name/)
    await expect(at(NAMED, { sslmode: 'verify-full' })).rejects.toThrow(
      /not signed by an authority that this server trusts.*For an authority of your own, add sslrootcert=/,
    )
  })

  it('a client certificate proves who the server is', async () => {
    const own = { sslmode: 'require', sslcert: path('client.pem'), sslkey: path('client.key') }
    expect(await isEncrypted(address(NAMED, own, 'certified'))).toBe(true)
    await expect(isEncrypted(address(NAMED, { sslmode: 'require' }, 'certified'))).rejects.toThrow(/certificate/)
  })

  it('the variables of libpq count where the address says nothing', async () => {
    const read = (variables: Record<string, string>, parameters = {}) =>
      readConfig({ DATABASE_URL: address(NAMED, parameters), ...variables }).secrets.databaseUrl ?? ''
    expect(await isEncrypted(read({ PGSSLMODE: 'disable' }))).toBe(false)
    expect(await isEncrypted(read({ PGSSLMODE: 'disable' }, { sslmode: 'require' }))).toBe(true)
    expect(await isEncrypted(read({ PGSSLMODE: 'verify-full', PGSSLROOTCERT: path('ca.pem') }))).toBe(true)
    expect(() => read({ PGSSLMODE: 'maybe' })).toThrow(/PGSSLMODE .*unknown sslmode/)
  })

  it('settings that cannot work are refused with what to do', async () => {
    await expect(at(NAMED, { sslmode: 'verify-ca' })).rejects.toThrow(/Add sslrootcert=/)
    await expect(at(NAMED, { sslmode: 'require', sslrootcert: 'system' })).rejects.toThrow(/sslmode=verify-full/)
    await expect(at(NAMED, { sslmode: 'verify-full', sslrootcert: path('nothing') })).rejects.toThrow(
      /sslrootcert of DATABASE_URL cannot be read/,
    )
    expect(() => readConfig({ DATABASE_URL: address(NAMED, { sslmode: 'maybe' }) })).toThrow(
      /unknown sslmode: use disable, allow, prefer, require, verify-ca, verify-full/,
    )
  })
})

it('a database without TLS is used without it unless the address asks for TLS', async () => {
  const { connection, drop } = await createDatabase()
  const proxy = await FaultProxy.open(connection, { isRecording: false })
  try {
    expect(await isEncrypted(proxy.url)).toBe(false)
    await expect(isEncrypted(`${proxy.url}?sslmode=require`)).rejects.toThrow(/does not offer TLS.*sslmode=disable/)
  } finally {
    await proxy.close()
    await drop()
  }
})
