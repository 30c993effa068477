// What the package offers: start the private PostgreSQL of a program, find one that runs, and lock a folder.
export { chooseBinaries } from './binaries.ts'
export { FolderInUseError, PrivatePostgresError } from './error.ts'
export { type FolderLock, lockFolder } from './lock.ts'
export type { Program } from './program.ts'
export type { Connection } from './ready.ts'
export { findRunning } from './running.ts'
export { type PrivatePostgres, type PrivatePostgresOptions, startPrivatePostgres } from './start.ts'
export { type PackageVerdict, verifyPackage } from './verify-package.ts'
