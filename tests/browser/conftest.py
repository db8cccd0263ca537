"""A headless Chromium, light or dark. Without it these tests fail: they are run on purpose only."""

import pytest
from selenium import webdriver


@pytest.fixture(scope="session", params=["light", "dark"])
def theme(request):
    return request.param


@pytest.fixture(scope="session")
def browser(theme):
    options = webdriver.ChromeOptions()
    for option in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "window-size=1000,1400"):
        options.add_argument(f"--{option}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    features = [{"name": "prefers-color-scheme", "value": theme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    driver.set_script_timeout(120)
    yield driver
    driver.quit()


MEASURED = pytest.StashKey[list]()


@pytest.fixture(scope="session")
def measured(pytestconfig):
    """Lines for the summary: what depends on the machine is reported, not required."""
    return pytestconfig.stash.setdefault(MEASURED, [])


def pytest_terminal_summary(terminalreporter, config):
    for line in config.stash.get(MEASURED, []):
        terminalreporter.write_line(line)
