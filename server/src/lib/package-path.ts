// Finds the files of this package. The code that asks may be a source, a compiled module or a part of the joined program, which lie at
// different depths.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE_FOLDER = findPackage(dirname(fileURLToPath(import.meta.url)))

/** Returns the path of a file or folder, which is given as seen from the folder of the package. */
export function packagePath(path: string): string {
  return join(PACKAGE_FOLDER, path)
}

function findPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackage(dirname(folder))
}
