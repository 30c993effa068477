// The program that the databases of these tests belong to.
import type { Program } from '../src/program.ts'

export const PROGRAM: Program = {
  name: 'cardstock',
  majorMin: 15,
  folderSetting: 'DATA_DIR',
  useYourOwn: 'set DATABASE_URL=postgres://user:password@host/database (PostgreSQL 15 or newer)',
  meanwhile: 'requests get 503',
}
