import { PlusOutlined } from '@ant-design/icons';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { useAccountElsewhere } from '../../api/account/account.elsewhere';
import { useSignInMethods } from '../../api/account/get.sign-in.methods';
import { linkingPath, type LinkingRequest } from '../../api/account/linking.path';
import { KeptElsewhere } from '../../ui/KeptElsewhere';
import { LinkButton } from '../../ui/LinkButton';
import { ListState } from '../../ui/ListState';
import { RowsShape } from '../../ui/PageShapes';
import { WalletRow } from './WalletRow';
import { walletsOf } from './wallets';

const addWallet: LinkingRequest = { add: 'wallet' };

/**
 * The account's wallets. A wallet is added on the linking page, where its owner signs a message; no unproven address is
 * stored.
 */
export function WalletsCard({ user, hasFailed }: { user: IdentityUser | null; hasFailed: boolean }) {
  const { data, error, isFetching, refetch } = useSignInMethods();
  const keptAt = useAccountElsewhere();
  const wallets = walletsOf(user ?? {}, data);
  const isLoading = (!user && !hasFailed) || (!data && !error);
  return (
    <section className="light-card" aria-labelledby="profile-wallets-title">
      <div className="light-card-head">
        <h2 id="profile-wallets-title">Wallets</h2>
        {wallets.length > 0 && !keptAt && (
          <LinkButton to={linkingPath} state={addWallet} icon={<PlusOutlined aria-hidden />}>
            Connect Wallet
          </LinkButton>
        )}
      </div>
      {keptAt && wallets.length === 0 && !isLoading ? (
        <KeptElsewhere address={keptAt} path={linkingPath} />
      ) : (
        <ListState
          isLoading={isLoading && wallets.length === 0}
          error={keptAt ? null : error}
          errorTitle="Failed to load your linked wallets"
          isPartial={wallets.length > 0}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
          isEmpty={wallets.length === 0}
          emptyTitle="No wallet connected"
          emptyHelp="Connect a wallet to sign in with it. Wallet balance calls use it when you don’t pass an address."
          emptyAction={
            <LinkButton to={linkingPath} state={addWallet}>
              Connect Wallet
            </LinkButton>
          }
          skeleton={<RowsShape />}
        >
          <ul className="rows" aria-label="Wallets">
            {wallets.map((wallet) => (
              <li key={wallet.address}>
                <WalletRow wallet={wallet} isOnly={data?.length === 1 && data[0]?.provider === 'wallet'} />
              </li>
            ))}
          </ul>
          {keptAt && <KeptElsewhere address={keptAt} path={linkingPath} />}
        </ListState>
      )}
    </section>
  );
}
