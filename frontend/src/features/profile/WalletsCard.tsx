import { PlusOutlined } from '@ant-design/icons';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { useAccountElsewhere } from '../../api/account/account.elsewhere';
import { useSignInMethods } from '../../api/account/get.sign-in.methods';
import { linkingPath, type LinkingWish } from '../../api/account/linking.path';
import { LoadFailure } from '../../ui/LoadFailure';
import { KeptElsewhere } from '../../ui/KeptElsewhere';
import { LinkButton } from '../../ui/LinkButton';
import { WalletRow } from './WalletRow';
import { walletsOf } from './wallets';

const wishForWallet: LinkingWish = { add: 'wallet' };

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
          <LinkButton
            to={linkingPath}
            state={wishForWallet}
            className="profile-connect"
            icon={<PlusOutlined aria-hidden />}
          >
            Connect Wallet
          </LinkButton>
        )}
      </div>
      {wallets.length > 0 && (
        <ul className="profile-list profile-wallets" aria-label="Wallets">
          {wallets.map((wallet) => (
            <li key={wallet.address}>
              <WalletRow wallet={wallet} isOnly={data?.length === 1 && data[0]?.provider === 'wallet'} />
            </li>
          ))}
        </ul>
      )}
      {isLoading && wallets.length === 0 ? (
        <div className="profile-project-skeletons" role="status" aria-label="Loading">
          <span className="skeleton skeleton-line-20" />
          <span className="skeleton skeleton-line-14" />
        </div>
      ) : keptAt ? (
        <KeptElsewhere address={keptAt} path={linkingPath} />
      ) : error ? (
        <LoadFailure
          title="Failed to load your linked wallets"
          error={error}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        wallets.length === 0 && (
          <div className="profile-empty">
            <strong>No wallet connected</strong>
            <span>
              Connect a wallet to sign in with it. Balance requests use it when no address is given.
            </span>
            <LinkButton to={linkingPath} state={wishForWallet}>
              Connect Wallet
            </LinkButton>
          </div>
        )
      )}
    </section>
  );
}
