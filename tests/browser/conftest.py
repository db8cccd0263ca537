"""A headless Chromium, light or dark. Where there is none, these tests fail: they are run on purpose only."""

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
