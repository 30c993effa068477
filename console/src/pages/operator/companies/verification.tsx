// The decision about a company's verification. It can be changed later; each decision stands in the audit log.
import { Button } from '@mantine/core'
import type { Company, VerificationDecision } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { useKeptText } from '~/api/use-kept-text.ts'
import { ChoiceCards } from '~/ui/choice-cards.tsx'
import { TextAreaField } from '~/ui/fields.tsx'
import { Form } from '~/ui/form.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { Refused } from '~/ui/refusal.tsx'
import { toast } from '~/ui/toast.ts'
import styles from '~/ui/form.module.css'

export function Verification({ company, isOperator }: { company: Company; isOperator: boolean }) {
  const isRejected = company.verification === 'rejected'
  if (!isOperator) {
    return (
      <Notice tone="amber">
        <p>{isRejected ? 'This company was rejected.' : 'This company is waiting for an operator to verify it.'}</p>
      </Notice>
    )
  }
  return (
    <Panel title={isRejected ? 'Rejected' : 'Waiting for verification'}>
      <DecisionForm company={company} />
    </Panel>
  )
}

function DecisionForm({ company }: { company: Company }) {
  const [decision, setDecision] = useState<VerificationDecision['decision']>()
  const [reason, setReason] = useKeptText(`verification ${company.id}`)
  const decide = useAction((body: VerificationDecision) => api.admin.companies.decideVerification(company.id, body), {
    refreshes: ['companies', 'audit-log'],
    onDone: () => {
      setReason('')
      toast(decision === 'approve' ? 'Company approved.' : 'Company rejected.')
    },
  })
  const isReady = decision !== undefined && reason.trim() !== ''
  const submit = () => {
    if (decision !== undefined) void decide.run({ decision, reason: reason.trim() })
  }
  return (
    <Form error={decide.error} isReady={isReady} submit={submit} className={styles.fields}>
      <ChoiceCards
        param="decision"
        legend="Decision"
        value={decision}
        onChange={setDecision}
        choices={[
          {
            value: 'approve',
            title: 'Approve',
            text: 'Its people and keys can use the sandbox, and you can activate it for live.',
          },
          { value: 'reject', title: 'Reject', text: 'Its people and keys have no access. You can decide again later.' },
        ]}
      />
      <TextAreaField
        param="reason"
        label="Reason"
        description="What you checked. Recorded in the audit log under your name."
        required
        rows={2}
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Refused />
      <div className={styles.buttons}>
        <Button type="submit" disabled={!isReady} loading={decide.isBusy}>
          {decision === 'reject' ? 'Reject company' : 'Approve company'}
        </Button>
      </div>
    </Form>
  )
}
