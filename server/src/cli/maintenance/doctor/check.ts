// The result of one check of `cardstock doctor`.
export interface Check {
  name: string
  status: 'ok' | 'warn' | 'fail'
  /** What was seen and, unless it is ok, what to do. */
  message: string
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message })
export const warn = (name: string, message: string): Check => ({ name, status: 'warn', message })
export const fail = (name: string, message: string): Check => ({ name, status: 'fail', message })
