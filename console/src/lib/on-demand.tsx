// Components whose code is loaded when it is needed.
import { type ComponentType, lazy, useState } from 'react'

export interface OnDemand<Props> {
  (props: Props): React.JSX.Element
  /** Loads the code, before or while the component is shown. */
  readonly preload: () => Promise<void>
}

/**
 * Once the code is there, the component is shown at once. One of React's `lazy` would still wait: it asks for its code when it is
 * first shown, and what was waited for appears up to 0.3 seconds late, so that several such parts do not appear one by one.
 */
export function onDemand<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): OnDemand<Props> {
  let loaded: ComponentType<Props> | undefined
  const Later = lazy(load)
  const preload = async () => {
    loaded = (await load()).default
  }
  // The first choice is kept: another one would throw away the state of the page.
  const Part = (props: Props) => {
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Later)
    return <Shown {...props} />
  }
  return Object.assign(Part, { preload })
}
