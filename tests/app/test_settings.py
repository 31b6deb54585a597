"""Settings: read once from the environment, and all of them in the documentation."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from sqlalchemy import make_url

from cml_app.settings import Settings, UnsuitableSetting, setting_names
from cml_core.files.reading.raw import Limits

ROOT = Path(__file__).parents[2]
HOME = {"HOME": "/home/ann"}


def read(**variables: str) -> Settings:
    return Settings.from_environment(HOME | variables)


def test_an_empty_environment_gives_the_defaults() -> None:
    assert read() == Settings(
        database_url="sqlite:////home/ann/.local/share/cml/projects.sqlite3",
        keep_projects=True,
        keep_days=90,
        max_project_mb=150,
        max_upload_mb=80,
        max_objects=3000,
        max_columns=1000,
        max_label_length=500,
        quick_at_once=2,
        jobs_at_once=2,
        jobs_waiting=20,
        job_seconds=600,
        puzzles_per_hour=20,
        threads=None,
    )


def test_every_setting_can_be_set() -> None:
    variables = {
        "CML_DATABASE_URL": "postgresql+psycopg://ann:secret@host/maps",
        "CML_KEEP_PROJECTS": "Off",
        "CML_KEEP_DAYS": " 7 ",
        "CML_MAX_PROJECT_MB": "5",
        "CML_MAX_UPLOAD_MB": "3",
        "CML_MAX_OBJECTS": "100",
        "CML_MAX_COLUMNS": "30",
        "CML_MAX_LABEL_LENGTH": "40",
        "CML_QUICK_AT_ONCE": "4",
        "CML_JOBS_AT_ONCE": "1",
        "CML_JOBS_WAITING": "6",
        "CML_JOB_SECONDS": "60",
        "CML_EVIDENCE_WORKERS": "3",
        "CML_CLUSTER": "tcp://10.0.0.5:8786",
        "CML_EVIDENCE_WAITING": "2",
        "CML_EVIDENCE_UNASKED": "off",
        "CML_EVIDENCE_SECONDS": "90",
        "CML_PUZZLES_PER_HOUR": "3",
        "CML_MANY_OBJECTS": "5000",
        "CML_MANY_MEMORY_MB": "50",
        "CML_UPLOADS_FOLDER": "/var/lib/cml/uploads",
        "CML_UPLOADS_MB": "70",
        "CML_LOCAL_FILES": "on",
        "CML_THREADS": "2",
    }
    # Which takes a file: below.
    assert variables.keys() == set(setting_names()) - {"CML_DATABASE_PASSWORD_FILE"}
    assert read(**variables) == Settings(
        database_url="postgresql+psycopg://ann:secret@host/maps",
        keep_projects=False,
        keep_days=7,
        max_project_mb=5,
        max_upload_mb=3,
        max_objects=100,
        max_columns=30,
        max_label_length=40,
        quick_at_once=4,
        jobs_at_once=1,
        jobs_waiting=6,
        job_seconds=60,
        evidence_workers=3,
        cluster="tcp://10.0.0.5:8786",
        evidence_waiting=2,
        evidence_unasked=False,
        evidence_seconds=90,
        puzzles_per_hour=3,
        many_objects=5000,
        many_memory_mb=50,
        uploads_folder="/var/lib/cml/uploads",
        uploads_mb=70,
        local_files=True,
        threads=2,
    )


@pytest.mark.parametrize("value", ["10.0.0.5:8786", "tcp://host", "tcp://:1", "http://host:80"])
def test_a_cluster_is_named_by_the_address_of_its_scheduler(value: str) -> None:
    with pytest.raises(UnsuitableSetting, match="Write it like tcp://"):
        read(CML_CLUSTER=value)


def test_files_are_read_within_the_limits_that_are_set() -> None:
    settings = read(
        CML_MAX_UPLOAD_MB="2", CML_MAX_OBJECTS="30", CML_MAX_COLUMNS="4", CML_MAX_LABEL_LENGTH="5"
    )
    # A compressed file of 2 MB may hold ten times as much.
    assert settings.limits() == Limits(bytes=20 * 2**20, objects=30, columns=4, label_length=5)


def test_a_blank_setting_counts_as_unset() -> None:
    assert read(**dict.fromkeys(setting_names(), " ")) == read()


def test_projects_go_into_the_data_folder_of_the_user() -> None:
    settings = read(XDG_DATA_HOME="/data/b?b 100%/ü")
    assert make_url(settings.database_url).database == "/data/b?b 100%/ü/cml/projects.sqlite3"


def test_a_relative_data_folder_is_ignored() -> None:
    assert read(XDG_DATA_HOME="data") == read()


def test_without_a_home_in_the_environment_the_system_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/bea"))
    url = Settings.from_environment({}).database_url
    assert url == "sqlite:////home/bea/.local/share/cml/projects.sqlite3"


@pytest.mark.parametrize("name", ["CML_KEEP_DAYS", "CML_MAX_UPLOAD_MB", "CML_THREADS"])
@pytest.mark.parametrize("value", ["ninety", "0", "-1", "1.5", "1_0", "٣", "9" * 5000])
def test_a_number_that_cannot_be_used_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(UnsuitableSetting) as error:
        read(**{name: value})
    assert error.value.fact == f"{name} is {value!r}."
    assert error.value.remedy.startswith("Set it to a whole number from 1 to ")


def test_a_switch_is_on_or_off() -> None:
    with pytest.raises(UnsuitableSetting) as error:
        read(CML_KEEP_PROJECTS="maybe")
    assert str(error.value) == "CML_KEEP_PROJECTS is 'maybe'. Set it to on or off."


@pytest.mark.parametrize("value", ["nonsense", "postgresql://ann:hush@host:hush/maps"])
def test_an_address_that_cannot_be_read_is_refused_without_repeating_it(value: str) -> None:
    with pytest.raises(UnsuitableSetting, match="CML_DATABASE_URL") as error:
        read(CML_DATABASE_URL=value)
    assert value not in str(error.value)
    assert "hush" not in str(error.value)
    assert error.value.__suppress_context__


def test_a_misspelt_setting_is_not_silently_ignored() -> None:
    with pytest.raises(UnsuitableSetting) as error:
        read(CML_KEEP_PROJECT="off")
    assert error.value.fact == "CML_KEEP_PROJECT is not a setting of this app."
    assert error.value.remedy == "Rename it to CML_KEEP_PROJECTS, or remove it."


def test_variables_of_other_programs_are_left_alone() -> None:
    assert read(CML_RUNNER_LABEL="x", CMLX_KEEP_DAYS="x", KEEP_DAYS="x") == read()


def test_the_password_of_the_database_is_not_shown() -> None:
    assert "hush" not in repr(read(CML_DATABASE_URL="postgresql://ann:hush@host/maps"))


def test_the_password_of_the_database_may_stand_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("h@sh:/ü\n")
    settings = read(
        CML_DATABASE_URL="postgresql+psycopg://ann@host/maps", CML_DATABASE_PASSWORD_FILE=str(file)
    )
    url = make_url(settings.database_url)
    assert (url.username, url.password, url.host) == ("ann", "h@sh:/ü", "host")
    assert "h@sh" not in repr(settings)
    with pytest.raises(UnsuitableSetting, match="CML_DATABASE_PASSWORD_FILE names a file") as error:
        read(CML_DATABASE_PASSWORD_FILE=str(tmp_path / "none"))
    assert error.value.__suppress_context__


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        read().keep_days = 1  # type: ignore[misc]


def test_the_documentation_has_every_setting() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    section = re.search("<!-- settings -->(.*?)<!-- /settings -->", page, re.DOTALL)
    assert section, "docs/settings.md lacks <!-- settings --> … <!-- /settings -->"
    rows = [
        f"| `{about['name']}` | {about['shown']} | {about['meaning']} |"
        for about in (entry.metadata for entry in fields(Settings))
    ]
    heading, _, *said = section[1].strip().splitlines()
    assert (heading, said) == ("| setting | default | what it does |", rows)


def test_the_code_reads_no_variable_that_is_not_a_setting() -> None:
    sources = [
        path for part in ("cml_app", "cml_core", "pages") for path in (ROOT / part).rglob("*.py")
    ]
    read_by_code = {
        name
        for path in (ROOT / "app.py", *sources)
        for name in re.findall(r"""["'](CML_[A-Z_]+)["']""", path.read_text(encoding="utf-8"))
    }
    assert "CML_THREADS" in read_by_code
    assert read_by_code <= set(setting_names())
