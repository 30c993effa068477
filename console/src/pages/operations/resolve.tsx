// In the sandbox a developer decides a review themselves, as an operator does in live.
import { Button, Menu } from '@mantine/core'
import type { Operation } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { operationCan } from '~/lib/can.ts'
import { formatMoney } from '~/ui/money.tsx'
import { Problem } from '~/ui/notice.tsx'
import { toast } from '~/ui/toast.ts'

export function ResolveInSandbox({ operation }: { operation: Operation }) {
  const { client, environment, may } = useWorkplace()
  const resolve = useAction(
    (outcome: 'completed' | 'failed') => client.sandbox.resolveReview(operation.id, { outcome }),
    { refreshes: ['operations', 'balance', 'cards', 'statements'], onDone: () => toast('Review decided.') },
  )
  const needs = operation.type === 'service' ? 'services:write' : 'cards:write'
  if (environment !== 'sandbox' || !operationCan(operation, 'resolve') || !may(needs)) return null
  return (
    <div>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button loading={resolve.isBusy}>Decide review</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Sandbox only</Menu.Label>
          <Menu.Item onClick={() => void resolve.run('completed')}>
            It happened: charge {formatMoney(operation.total)} USD
          </Menu.Item>
          <Menu.Item onClick={() => void resolve.run('failed')}>
            It did not happen: release {formatMoney(operation.total)} USD
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Problem error={resolve.error} />
    </div>
  )
}
