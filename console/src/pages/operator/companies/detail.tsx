// One company: its verification, what it may do in live, whether it is suspended, its keys, and what was done to it.
import { useId } from '~/lib/use-id.ts'
import type { Company } from '@cardstock/sdk'
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { CopyId } from '~/ui/copy.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { Notice } from '~/ui/notice.tsx'
import { type Fact, Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { Time } from '~/ui/time.tsx'
import { useIsOperator } from '~/pages/operator/use-is-operator.ts'
import { CompanyActions } from './actions.tsx'
import { Capabilities } from './capabilities.tsx'
import { CompanyHistory } from './history.tsx'
import { CompanyHolders } from './holders.tsx'
import { CompanyKeys } from './keys.tsx'
import { CompanyPeople } from './people.tsx'
import { Verification } from './verification.tsx'
import { KIND_WORDS } from './words.ts'
import styles from './companies.module.css'

export default function CompanyDetail() {
  const id = useId()
  const query = useData('companies', [id], (_client, options) => api.admin.companies.get(id, options))
  return <Loaded query={query}>{(company) => <Shown company={company} />}</Loaded>
}

function Shown({ company }: { company: Company }) {
  const isOperator = useIsOperator()
  const { id, name, kind, verification, suspended, createdAt, balances = [] } = company
  return (
    <>
      <PageHeading
        title={name}
        badge={<Status value={suspended ? 'suspended' : verification} />}
        parent={{ href: paths.companies(), title: 'Companies' }}
        actions={isOperator ? <CompanyActions company={company} /> : null}
      >
        <CopyId value={id} />
      </PageHeading>
      <Stack>
        {suspended ? (
          <Notice tone="red" title="This company is suspended">
            <p>
              It can read data and freeze or close cards. All other changes are refused until the suspension is lifted.
            </p>
          </Notice>
        ) : null}
        {verification === 'approved' ? null : <Verification company={company} isOperator={isOperator} />}
        <div className={styles.pair}>
          <Panel title="About">
            <Facts
              facts={[
                ['Kind', KIND_WORDS[kind]],
                ['Verification', <Status key="verification" value={verification} />],
                ['Created', <Time key="created" value={createdAt} />],
                ...balances.flatMap(({ environment, available, held }): Fact[] => [
                  [`Available, ${environment}`, <Money key="available" value={available} />],
                  [`Held, ${environment}`, <Money key="held" value={held} />],
                ]),
              ]}
            />
          </Panel>
          <Capabilities company={company} isOperator={isOperator} />
        </div>
        <CompanyHolders companyId={id} isOperator={isOperator} />
        <CompanyPeople companyId={id} isOperator={isOperator} />
        <CompanyKeys company={company} isOperator={isOperator} />
        <CompanyHistory companyId={id} />
      </Stack>
    </>
  )
}
