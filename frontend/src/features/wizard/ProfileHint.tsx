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
      title={`Missing in your profile: ${gaps.map((gap) => gapNames[gap]).join(', ')}`}
      description={
        <>
          <Link to="/settings?from=orange-id" className="wizard-hint-link">
            Open Settings
          </Link>{' '}
          to add what is missing. What you typed here is kept.
        </>
      }
    />
  );
}
