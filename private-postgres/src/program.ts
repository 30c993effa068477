// The program that a private PostgreSQL belongs to. This is all that the package knows about it.
export interface Program {
  /**
   * Names the account of the system, the roles, the database and the processes. Lower-case letters only. It must not change:
   * the data folders that exist were made with it.
   */
  readonly name: string
  /** The oldest major version of PostgreSQL that the program supports. */
  readonly majorMin: number
  /** The setting that chooses the data folder. Messages name it. */
  readonly folderSetting: string
  /** What an operator does to use a PostgreSQL of their own, such as "set DATABASE_URL=…". Messages end with it. */
  readonly useYourOwn: string
  /** What the program's users get while PostgreSQL does not run, such as "requests get 503". */
  readonly meanwhile: string
}
