// Components whose code is loaded when it is needed.
import { type ComponentType, lazy, useState } from 'react'

export interface OnDemand<Props> {
  (props: Props): React.JSX.Element
  /** Loads the code, before or while the component is shown. */
  readonly preload: () => Promise<void>
}

/**
 * Once the code is loaded, the component is shown at once. A component of React's `lazy` suspends when it is first shown, even if its
 * code is already there, and React shows a suspended part up to 0.3 seconds late, so that parts do not appear one by one.
 */
export function onDemand<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): OnDemand<Props> {
  let loaded: ComponentType<Props> | undefined
  const Later = lazy(load)
  const preload = async () => {
    loaded = (await load()).default
  }
  // The first choice is kept: React would throw away the state of the page if the component changed.
  const Part = (props: Props) => {
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Later)
    return <Shown {...props} />
  }
  return Object.assign(Part, { preload })
}
