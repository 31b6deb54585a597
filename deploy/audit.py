"""Whether faults are known in what is pinned: `make audit` asks who keeps lists of them.

pip-audit says that nothing is known also where nobody could be asked. Here that is no answer: it
ends with 0 only where everything was asked about and nothing is known, with 1 where a fault is
known, and with 2 where it could not be found out.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

# Only what the files say is looked up; nothing is installed or resolved.
ASK = ("-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner=off")
NONE, SOME, UNKNOWN = 0, 1, 2


def verdict(packages: list[dict[str, Any]]) -> tuple[int, str]:
    """What is known of packages, as pip-audit lists them, and the exit code that says the same."""
    faulty = [one for one in packages if one.get("vulns")]
    unasked = [one["name"] for one in packages if "skip_reason" in one]
    lines = [_told(one) for one in faulty]
    if unasked:
        lines.append(
            f"Of {len(unasked)} of {len(packages)} packages it could not be found out whether a "
            "fault is known: no list of faults can be reached from here, or it does not have "
            f"them. They are: {', '.join(unasked)}."
        )
    if not lines:
        lines.append(f"In {len(packages)} packages no fault is known.")
    return SOME if faulty else UNKNOWN if unasked else NONE, "\n".join(lines)


def _told(package: dict[str, Any]) -> str:
    faults = (
        f"{fault['id']} (mended in {', '.join(fault['fix_versions']) or 'no version yet'})"
        for fault in package["vulns"]
    )
    return f"{package['name']} {package['version']}: {'; '.join(faults)}"


def asked(files: list[str]) -> list[dict[str, Any]] | None:
    """What pip-audit finds out about all that these files pin; None where it cannot ask."""
    options = [option for file in files for option in ("--requirement", file)]
    command = [sys.executable, *ASK, "--format=json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        found: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except ValueError:
        # Its last line says why, without what led there.
        sys.stderr.write("\n".join(done.stderr.splitlines()[-1:]) + "\n")
        return None
    # Several files may pin the same.
    return list({one["name"]: one for one in found}.values())


if __name__ == "__main__":
    packages = asked(sys.argv[1:])
    if packages is None:
        code, words = UNKNOWN, "No list of faults answered, so nothing was found out."
    else:
        code, words = verdict(packages)
    sys.stdout.write(f"{words}\n")
    sys.exit(code)
