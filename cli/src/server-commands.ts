// The commands that only the program of a server has. A test compares them with those.
export const SERVER_COMMANDS = [
  'serve',
  'issuer',
  'simulate',
  'migrate',
  'backup',
  'backup-key',
  'restore',
  'export',
  'archive',
  'doctor',
  'config',
  'mail',
  'secret-key',
  'private-postgres',
]
