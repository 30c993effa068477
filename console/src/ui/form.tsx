// A form: what is refused stands beside its fields, and the focus goes to the first that is wrong. The browser does not check the fields, because its words
// would be others, and the server decides.
import { type FormEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { ScopeProvider, useScope } from './refusal.tsx'

interface Props {
  /** What was refused. `<Refused>` in the form shows what none of its fields does. */
  readonly error: unknown
  readonly isReady?: boolean
  /** What the form is, if no heading says so. */
  readonly label?: string
  readonly className?: string | undefined
  readonly children: ReactNode
  submit(): void
}

export function Form({ error, isReady = true, label, className, children, submit }: Props) {
  const form = useRef<HTMLFormElement>(null)
  /** Whether the form was sent and not edited since. A problem that is found while somebody types does not move the focus. */
  const isWaiting = useRef(false)
  const scope = useScope(error)
  const { messages, rest } = scope
  useLayoutEffect(() => {
    if (isWaiting.current && (messages.size > 0 || rest !== undefined)) isWaiting.current = !focusWrong(form.current)
  }, [messages, rest])
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    isWaiting.current = true
    submit()
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={send}
      onChange={() => {
        isWaiting.current = false
      }}
      className={className}
      aria-label={label}
    >
      <ScopeProvider value={scope}>{children}</ScopeProvider>
    </form>
  )
}

/** Reports whether a field is wrong, which has the focus then. Otherwise the button gets it back, which it lost while it was disabled. */
function focusWrong(form: HTMLFormElement | null): boolean {
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid=true]')
  const field = wrong?.matches('fieldset') === true ? wrong.querySelector<HTMLElement>('input') : wrong
  if (field === null || field === undefined) {
    if (document.activeElement === document.body) form?.querySelector<HTMLElement>('[type=submit]')?.focus()
    return false
  }
  field.focus()
  return true
}
