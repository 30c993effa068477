// Spreads the tasks of a proof over child processes. Each of them does one task at a time, because time and randomness are
// replaced for a whole process.
import { type ChildProcess, fork } from 'node:child_process'

/** A child gets its setup first, and then its tasks. */
type Message<Setup, Task> = { readonly setup: Setup } | { readonly task: Task }
type Reply<Result> = { readonly result: Result } | { readonly failure: string }

export interface Work<Setup, Task, Result> {
  /** The module that calls `serveTasks`. */
  readonly module: URL
  /** One for each child. */
  readonly setups: readonly Setup[]
  readonly tasks: readonly Task[]
  /** Once it returns true, no more tasks begin. */
  isOver?(): boolean
  /** Called in the order in which the tasks end. */
  onResult(result: Result, task: Task): void | Promise<void>
}

/** Resolves when all tasks have been done. Rejects if a child fails. */
export async function runInProcesses<Setup, Task, Result>(work: Work<Setup, Task, Result>): Promise<void> {
  const waiting = work.tasks.values()
  const children = work.setups.map(() => fork(work.module, { serialization: 'advanced' }))
  try {
    await Promise.all(children.map((child, index) => runChild(child, work.setups[index] as Setup, waiting, work)))
  } finally {
    for (const child of children) child.kill()
  }
}

async function runChild<Setup, Task, Result>(
  child: ChildProcess,
  setup: Setup,
  waiting: Iterator<Task>,
  { onResult, isOver = () => false }: Work<Setup, Task, Result>,
): Promise<void> {
  await ask<Setup, Task, undefined>(child, { setup })
  while (!isOver()) {
    const next = waiting.next()
    if (next.done === true) return
    await onResult(await ask<Setup, Task, Result>(child, { task: next.value }), next.value)
  }
}

export function ask<Setup, Task, Result>(child: ChildProcess, message: Message<Setup, Task>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: string | null) =>
      reject(new Error(`A child process ended with ${code ?? signal} during ${JSON.stringify(message)}.`))
    child.once('exit', onExit)
    child.once('message', (reply: Reply<Result>) => {
      child.off('exit', onExit)
      if ('failure' in reply) reject(new Error(reply.failure))
      else resolve(reply.result)
    })
    child.send(message)
  })
}

/** Called by the child: does the tasks that its parent sends until the parent ends it. The caller names the types of setup and task. */
export function serveTasks(open: (setup: never) => Promise<(task: never) => Promise<unknown>>): void {
  let run: ((task: never) => Promise<unknown>) | undefined
  const answer = async (message: Message<never, never>): Promise<unknown> => {
    if ('task' in message) return run?.(message.task)
    run = await open(message.setup)
    return undefined
  }
  process.on('message', (message) => {
    const send = (reply: Reply<unknown>) => process.send?.(reply)
    answer(message as Message<never, never>).then(
      (result) => send({ result }),
      (error: unknown) => send({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  // The parent decides when its children end, and it may have died without doing so.
  process.on('SIGINT', () => {})
  process.once('disconnect', () => process.exit())
}
