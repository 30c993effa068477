// Adds a person or a company that cards can be issued to.
import { Button } from '@mantine/core'
import type { HolderKind } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { useIdempotencyKey } from '~/api/use-idempotency-key.ts'
import { useSentBefore } from '~/api/use-sent-before.ts'
import { paths } from '~/paths.ts'
import { useGo } from '~/ui/go.tsx'
import { Form } from '~/ui/form.tsx'
import { Refused } from '~/ui/refusal.tsx'
import { FormColumn, PageHeading, Panel } from '~/ui/page.tsx'
import { SentBefore } from '~/ui/sent-before.tsx'
import { toast } from '~/ui/toast.ts'
import { FORM, HolderFields, useHolderDraft } from './fields.tsx'

export default function AddHolder() {
  const { client, environment } = useWorkplace()
  const go = useGo()
  const draft = useHolderDraft()
  const { key, renew } = useIdempotencyKey(FORM)
  const { originalId, onRefused } = useSentBefore(renew)
  const [name, email, externalId] = [draft.name.trim(), draft.email.trim(), draft.externalId.trim()]
  const holder = { name, email, kind: draft.kind as HolderKind, ...(externalId === '' ? {} : { externalId }) }
  const add = useAction(() => client.holders.create(holder, { idempotencyKey: key }), {
    refreshes: ['holders'],
    onRefused,
    onDone: (added) => {
      renew()
      draft.clear()
      toast('Holder added.')
      go(paths.holder(added.id), { replace: true })
    },
  })
  const isComplete = name !== '' && email !== ''
  return (
    <>
      <PageHeading title="Add holder" parent={{ href: paths.holders(), title: 'Holders' }}>
        {environment === 'sandbox'
          ? 'In the sandbox, a new holder is active at once.'
          : 'The operator must approve a new holder before you can issue a card.'}
      </PageHeading>
      <Form error={add.error} isReady={isComplete} submit={() => void add.run()}>
        <FormColumn>
          <Panel>
            <HolderFields draft={draft} />
          </Panel>
          <SentBefore id={originalId} />
          <Refused />
          <div>
            <Button type="submit" size="md" disabled={!isComplete} loading={add.isBusy}>
              Add holder
            </Button>
          </div>
        </FormColumn>
      </Form>
    </>
  )
}
