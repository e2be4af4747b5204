import type { Appearance } from '@orange-id/contract/appearance';
import type { ColorScheme } from '../widget/color.scheme';

/** What the portal's consent page shows of the app. It keeps the portal's own look: only the name and an upload differ. */
export function PreviewConsent({
  appName,
  look,
  scheme,
}: {
  appName: string;
  look: Appearance;
  scheme: ColorScheme;
}) {
  const logo = [look.logo[scheme], look.logo.light, look.logo.dark].find((path) =>
    path.startsWith('/pictures/'),
  );
  return (
    <div className={`consent ${scheme}`}>
      {logo !== undefined && (
        <img src={new URL(logo, new URL(window.location.href).origin).href} alt="" height={40} />
      )}
      <h2>{`Continue to ${appName}`}</h2>
      <p>{`${appName} will see what you allow: your display name, picture, confirmed email or wallet.`}</p>
      <p className="help">
        This page is the portal’s: people recognise it in every app, so its colours can’t be changed. It shows
        uploaded logos only, because a logo from elsewhere would tell its owner who visits.
      </p>
    </div>
  );
}
