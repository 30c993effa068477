// A small file system in memory that can be filled, if this machine allows to mount one.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'

const CHUNK_BYTES = 1024 * 1024
/** Room for the database and some minutes of work. */
const ROOM_BYTES = 512 * CHUNK_BYTES
const TABLESPACE = 'small_disk'

export class SmallDisk {
  readonly #path: string

  private constructor(path: string) {
    this.#path = path
  }

  static tryMount(path: string): SmallDisk | undefined {
    mkdirSync(path)
    const isMounted =
      process.platform === 'linux' &&
      spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOM_BYTES}`, 'tmpfs', path]).status === 0
    return isMounted ? new SmallDisk(path) : undefined
  }

  unmount(): void {
    spawnSync('umount', [this.#path])
  }

  /** Returns the name of a tablespace on the disk. */
  async createTablespace(client: pg.Client): Promise<string> {
    // The data folder may be shown as an inherited descriptor, so ask a process who owns it.
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
    )
    const { uid, gid } = statSync(`/proc/${rows[0]?.pid}`)
    const place = join(this.#path, 'tablespace')
    mkdirSync(place)
    chownSync(place, uid, gid)
    for (const path of [dirname(this.#path), this.#path]) chmodSync(path, 0o711)
    await client.query(`create tablespace ${TABLESPACE} location '${place}'`)
    return TABLESPACE
  }

  /** Fills the disk in smaller and smaller steps, until no byte fits any more. */
  async fill(): Promise<void> {
    const file = await open(join(this.#path, 'ballast'), 'a')
    for (let bytes = CHUNK_BYTES; bytes >= 1;) {
      try {
        await file.write(Buffer.alloc(bytes))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        bytes = Math.floor(bytes / 16)
      }
    }
    await file.close()
  }

  /** Removes the ballast, and enlarges the disk by what the database has grown, because a long run would fill it by itself. */
  clear(): void {
    rmSync(join(this.#path, 'ballast'), { force: true })
    const { blocks, bfree, bsize } = statfsSync(this.#path)
    const size = (blocks - bfree) * bsize + ROOM_BYTES
    const { status, stderr } = spawnSync('mount', ['-o', `remount,size=${size}`, this.#path], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`The small disk could not be enlarged: ${stderr}`)
  }
}
