// Shows what was refused where it can be corrected: fields ask here for their problem, and the rest stands in a box. A form is a scope of its own, and so
// is a list with its filters.
import { createContext, type ReactNode, useCallback, useContext, useLayoutEffect, useMemo, useState } from 'react'
import { type Labels, NO_REFUSAL, placeRefusal, type Refusal } from '~/api/refusal.ts'
import { Problem, RequestId } from './notice.tsx'
import styles from './form.module.css'

interface Scope extends Refusal {
  readonly error: unknown
  /** The fields that are on the page. */
  readonly labels: Labels
  /** Adds a field, and returns a function that removes it. */
  add(param: string, label: string): () => void
  /** Takes the problem of a field away, because the field was edited. */
  forget(param: string): void
}

const ScopeContext = createContext<Scope | undefined>(undefined)

/** The fields that were edited since an error. */
interface Edited {
  readonly since: unknown
  readonly params: ReadonlySet<string>
}

export function useScope(error: unknown): Scope {
  const [labels, setLabels] = useState<Labels>(new Map())
  const [edited, setEdited] = useState<Edited>({ since: undefined, params: new Set() })
  const add = useCallback((param: string, label: string) => {
    setLabels((former) => new Map(former).set(param, label))
    return () => setLabels((former) => new Map([...former].filter(([name]) => name !== param)))
  }, [])
  const forget = useCallback(
    (param: string) =>
      setEdited(({ since, params }) => ({ since: error, params: new Set(since === error ? params : []).add(param) })),
    [error],
  )
  return useMemo(() => {
    const { messages, rest } = error === undefined || error === null ? NO_REFUSAL : placeRefusal(error, labels)
    const isEdited = (param: string) => edited.since === error && edited.params.has(param)
    const current = new Map([...messages].filter(([param]) => !isEdited(param)))
    return { messages: current, rest, error, labels, add, forget }
  }, [error, labels, edited, add, forget])
}

export const ScopeProvider = ScopeContext.Provider

/** Fields that are no form: the filters of a list, with what the list was refused for. */
export function RefusalScope({ error, children }: { error: unknown; children: ReactNode }) {
  return <ScopeProvider value={useScope(error)}>{children}</ScopeProvider>
}

interface Shown<Args extends readonly unknown[]> {
  readonly label: string
  /** What the page itself finds wrong, which comes first. */
  readonly error?: ReactNode
  readonly onChange?: ((...args: Args) => void) | undefined
}

/** `param` is the name of the field in the API. Returns what is wrong with it, until somebody edits it. */
export function useRefused<Args extends readonly unknown[]>(
  param: string | undefined,
  { label, error, onChange }: Shown<Args>,
): { error: ReactNode; onChange: (...args: Args) => void } {
  const scope = useContext(ScopeContext)
  const add = scope?.add
  useLayoutEffect(() => (param === undefined ? undefined : add?.(param, label)), [add, param, label])
  const edit = (...args: Args) => {
    if (param !== undefined) scope?.forget(param)
    onChange?.(...args)
  }
  return { error: error ?? (param === undefined ? undefined : scope?.messages.get(param)), onChange: edit }
}

/** The box for what no field shows. If the fields show everything, it is one line that names them, with the id of the request. */
export function Refused({ retry }: { retry?: () => void }) {
  const scope = useContext(ScopeContext)
  if (scope === undefined) return null
  const { messages, labels, rest } = scope
  const named = [...labels].filter(([param]) => messages.has(param)).map(([, label]) => `“${label}”`)
  return (
    <>
      {/* It is there before it has words, so that screen readers announce them. */}
      <div role="status" className={styles.refused}>
        {named.length === 0 ? null : (
          <>
            Correct {named.join(', ')}. {rest === undefined ? <RequestId error={scope.error} /> : null}
          </>
        )}
      </div>
      {rest === undefined ? null : (
        <Problem error={scope.error} message={rest} {...(retry === undefined ? {} : { retry })} />
      )}
    </>
  )
}
