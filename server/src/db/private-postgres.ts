// What the package that runs the private PostgreSQL has to know about this program.
import type { Program } from '@cardstock/private-postgres'

export const PROGRAM: Program = {
  name: 'cardstock',
  majorMin: 15,
  folderSetting: 'DATA_DIR',
  useYourOwn: 'set DATABASE_URL=postgres://user:password@host/database (PostgreSQL 15 or newer)',
  meanwhile: 'requests get 503',
}
