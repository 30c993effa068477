// Sandbox or live, in a word and a shape. Operators see both side by side.
import type { Environment } from '@cardstock/sdk'
import { Badge } from '~/ui/status.tsx'

export function EnvironmentBadge({ value }: { value: Environment }) {
  return value === 'live' ? (
    <Badge tone="red" shape="diamond">
      Live
    </Badge>
  ) : (
    <Badge tone="amber" shape="square">
      Sandbox
    </Badge>
  )
}
