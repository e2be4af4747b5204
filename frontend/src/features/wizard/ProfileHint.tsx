import type { ProfileGap } from '@orange-id/contract/profile.rule';
import { Alert } from 'antd';
import { Link } from 'react-router-dom';
import { gapNames } from './wizard.sentences';

/** What the profile lacks for a project, with the way to add it; nothing when it lacks nothing. */
export function ProfileHint({ gaps }: { gaps: ProfileGap[] }) {
  if (gaps.length === 0) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title="Your profile is missing"
      description={
        <>
          <ul className="wizard-gaps">
            {gaps.map((gap) => (
              <li key={gap}>{gapNames[gap]}</li>
            ))}
          </ul>
          <Link to="/settings?from=orange-id">Add it in Settings</Link>. What you typed here is kept.
        </>
      }
    />
  );
}
