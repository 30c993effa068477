// A file on its way: read, checked row by row, sent. All of it can be done again with the same file, because every row has its own key.
import {
  BULK_BYTES_MAX,
  type BulkFile,
  BulkFileError,
  type BulkItem,
  checkBulk,
  parseBulk,
  sendBulk,
} from '@cardstock/sdk/bulk'
import { useEffect, useRef, useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { isSignedOut, needsSecondFactor, SaidError } from '~/api/errors.ts'
import { useAction } from '~/api/use-action.ts'

/** The field with the file, in what is refused. */
export const FILE = 'file'

export interface Checked {
  readonly fileName: string
  readonly file: BulkFile
  readonly items: readonly BulkItem[]
  readonly isSent: boolean
}

export interface Bulk {
  readonly checked: Checked | undefined
  /** How many rows are done, of how many, while the file is checked or sent. */
  readonly progress: { readonly done: number; readonly count: number } | undefined
  readonly isSending: boolean
  /** What stopped the checking or the sending. */
  readonly error: unknown
  check(chosen: File, batch: string): void
  send(): void
  startAgain(): void
}

export function useBulk(): Bulk {
  const { client } = useWorkplace()
  const [checked, setChecked] = useState<Checked>()
  const [progress, setProgress] = useState<Bulk['progress']>()
  const [stoppedBy, setStoppedBy] = useState<unknown>()
  const leaving = useLeaving()
  const check = useAction(async ({ chosen, batch }: { chosen: File; batch: string }) => {
    setStoppedBy(undefined)
    const file = await readBulk(chosen, batch)
    const count = file.rows.length
    setProgress({ done: 0, count })
    const onProgress = (done: number) => setProgress({ done, count })
    const items = await checkBulk(client, file, { signal: leaving.current?.signal, onProgress })
    setChecked({ fileName: chosen.name, file, items, isSent: false })
  })
  const send = useAction(
    async (before: Checked) => {
      setStoppedBy(undefined)
      const count = before.items.filter(({ state }) => state === 'ready').length
      setProgress({ done: 0, count })
      const onProgress = (done: number) => setProgress({ done, count })
      const sent = await sendBulk(client, before.items, { signal: leaving.current?.signal, onProgress })
      setChecked({ ...before, items: sent.items, isSent: true })
      // After the person has signed in or shown the second factor, all rows are sent again, each with its key.
      if (isSignedOut(sent.stoppedBy) || needsSecondFactor(sent.stoppedBy)) throw sent.stoppedBy
      return sent.stoppedBy
    },
    { refreshes: ['operations', 'balance', 'cards', 'statements'], onDone: setStoppedBy },
  )
  const isBusy = check.isBusy || send.isBusy
  return {
    checked,
    progress: isBusy ? progress : undefined,
    isSending: send.isBusy,
    error: check.error ?? send.error ?? stoppedBy,
    check: (chosen, batch) => void check.run({ chosen, batch }),
    send: () => {
      if (checked !== undefined) void send.run(checked)
    },
    startAgain: () => {
      setChecked(undefined)
      setStoppedBy(undefined)
      check.forget()
      send.forget()
    },
  }
}

async function readBulk(chosen: File, batch: string): Promise<BulkFile> {
  try {
    if (chosen.size > BULK_BYTES_MAX) throw new BulkFileError('The file is larger than 1 MB. Split it.')
    return parseBulk(await chosen.text(), { batch })
  } catch (error) {
    if (error instanceof BulkFileError) throw new SaidError(error.message, FILE)
    throw new SaidError('The file cannot be read. Choose it again.', FILE)
  }
}

/** Ends what is under way when the page is left. */
function useLeaving() {
  const controller = useRef<AbortController>(undefined)
  useEffect(() => {
    const own = new AbortController()
    controller.current = own
    return () => own.abort()
  }, [])
  return controller
}
