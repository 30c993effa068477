// Tells whether this process may run a file.
import { accessSync, constants } from 'node:fs'

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
